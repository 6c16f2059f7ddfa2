import type { Config } from '@react-router/dev/config';
import { shortenRouteTable } from './scripts/vite-plugins/route-table.ts';

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // Every link is known at build time or rendered on the server: no manifest of all routes is fetched by the browser.
  routeDiscovery: { mode: 'initial' },
  buildEnd: () => shortenRouteTable(),
} satisfies Config;
