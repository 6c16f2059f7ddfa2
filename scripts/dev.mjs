import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

// Pages are reloaded in place by Vite inside the site; a change in the server's own files starts the site again.
try {
  const { node } = await bootstrap({ pages: false });
  // The condition makes Node take the same copy of React Router as Vite does: with two, no page finds its context.
  const flags = ['--conditions=development', '--watch', '--watch-preserve-output'];
  await handOver(node, [...flags, 'src/main.ts', ...process.argv.slice(2)], { NODE_ENV: 'development' });
} catch (error) {
  endWith(error);
}
