import { findSession } from './accounts/server/sessions.ts';
import type { Ctx } from './context.ts';
import { createApi } from './platform/http/api/api.ts';
import type { SharedAnswers } from './platform/http/answers/shared-answers.ts';
import { markFavorites } from './shelf/server/favorites.ts';
import { SLICES } from './slices.ts';

const routes = await Promise.all(SLICES.flatMap(({ loadRoutes }) => (loadRoutes ? [loadRoutes()] : [])));

/** Builds the API of all slices over one context: the site serves it, tests call it. `shared`: see createApi. */
export function buildApi(ctx: Ctx, shared: SharedAnswers | null = null) {
  return createApi({ ctx, findSession, shared, slices: routes, forMember: markFavorites });
}
