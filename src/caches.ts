import { createAccountCaches } from './accounts/server/caches.ts';
import { createLibraryCaches } from './library/server/caches.ts';
import { createReadingCaches } from './reading/server/caches.ts';
import { createSearchCaches } from './search/server/caches.ts';

/** The in-memory caches of one app. Each slice that caches something has a group of its own. */
export type Caches = ReturnType<typeof createCaches>;

/** Creates the caches of one app, all empty. */
export const createCaches = () => ({
  accounts: createAccountCaches(),
  library: createLibraryCaches(),
  reading: createReadingCaches(),
  search: createSearchCaches(),
});
