import { afterAll, vi } from 'vitest';

// The files of a project share a worker. vitest removes stubs before the next test, which is after the next file has
// opened its app in `beforeAll`: here they are removed when their file ends.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
