import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { openDemoSite, type Site } from './site.ts';

/** A site that other journeys use as well: none of them may stop it. */
export type SharedSite = Pick<Site, 'origin' | 'dataDir' | 'demoPassword' | 'ceku'>;
type Shared = { site: SharedSite; browser: Browser };

let shared: Promise<Shared> | null = null;

/**
 * A demo site without rate limits and a browser, for journeys that leave the library as it is for others: they work with
 * accounts of their own names and add documents, but change none that the demo has. To start a site and to warm it up takes
 * ten seconds of processor time, so the files of a vitest worker share one; both end with the worker. A file calls
 * `closePages` when it ends.
 */
export function shareDemoSite(): Promise<Shared> {
  return (shared ??= open());
}

async function open(): Promise<Shared> {
  const [site, browser] = await Promise.all([openDemoSite({ RATE_LIMITS: 'off' }), openBrowser()]);
  return { site, browser };
}
