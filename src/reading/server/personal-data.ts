import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { deleteReads, listReads } from './store.ts';

const MOST = 10_000;

/** Which documents a user has looked at, and when. */
export const readingPersonalData: PersonalData = {
  collect: async (ctx, userId) => ({ reads: await listReads(ctx.db, userId, MOST) }),
  erase: (ctx, userId) => deleteReads(ctx.db, userId),
};
