import { accountsRoutes } from './accounts/server/routes.ts';
import { findSession } from './accounts/server/sessions.ts';
import { chartsRoutes } from './charts/server/routes.ts';
import type { Ctx } from './context.ts';
import { PERSONAL_DATA } from './personal-data.ts';
import { libraryRoutes } from './library/server/routes.ts';
import { membershipRoutes } from './membership/server/routes.ts';
import { paymentRoutes } from './payment/server/prices.ts';
import { createApi } from './platform/http/api.ts';
import type { SharedAnswers } from './platform/http/shared-answers.ts';
import { readingRoutes } from './reading/server/routes.ts';
import { searchRoutes } from './search/server/routes.ts';

/** The whole API of this release over one context: what the site serves, and what tests call. `shared`: see createApi. */
export function buildApi(ctx: Ctx, shared: SharedAnswers | null = null) {
  return createApi({
    ctx,
    findSession,
    shared,
    slices: [
      accountsRoutes(PERSONAL_DATA),
      libraryRoutes,
      membershipRoutes,
      paymentRoutes,
      searchRoutes,
      chartsRoutes,
      readingRoutes,
    ],
  });
}
