import { afterAll, beforeEach } from 'vitest';
import { comingByPhone } from './coming-by-phone.ts';
import { comingByScan } from './coming-by-scan.ts';
import { standInProviders } from './stand-in-providers.ts';
import { openTestApp } from './test-app.ts';

/**
 * Opens an app with stand-in providers for the test file that calls it. Closes the app after the file, and resets the
 * clock and the providers before each test.
 */
export async function openAccountsApp() {
  const outside = standInProviders();
  const app = await openTestApp({ providers: outside.providers });
  afterAll(() => app.close());
  beforeEach(() => {
    app.clock.offsetMs = 0;
    outside.mend();
  });
  return { app, outside, byPhone: comingByPhone(app, outside), byScan: comingByScan(app, outside) };
}
