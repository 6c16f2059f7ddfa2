import type { PersonalData } from '../../accounts/server/privacy/personal-data.ts';
import { deleteReads, selectReads } from './store.ts';

const MOST = 10_000;

/** Personal data: which documents a user has read, and when. */
export const readingPersonalData: PersonalData = {
  collect: async (ctx, userId) => ({ reads: await selectReads(ctx.db, userId, MOST) }),
  erase: (ctx, userId) => deleteReads(ctx.db, userId),
};
