import type { PersonalData } from '../../accounts/server/privacy/personal-data.ts';
import { deleteShelf, selectShelf } from './store-personal.ts';
import { deleteHistory, selectPositions, selectReads } from './store-reads.ts';

/** Maximum number of rows of each kind in a copy of personal data. */
const MAX_ROWS = 10_000;

/** Personal data: what a user keeps, in which folders and with which notes, whom they showed it, and what they read. */
export const shelfPersonalData: PersonalData = {
  collect: async (ctx, userId) => ({
    ...(await selectShelf(ctx.db, userId, MAX_ROWS)),
    reads: await selectReads(ctx.db, userId, MAX_ROWS),
    positions: (await selectPositions(ctx.db, userId, MAX_ROWS)).map(({ documentId, page, readAt }) => ({
      documentId,
      page,
      readAt,
    })),
  }),
  async erase(ctx, userId) {
    await deleteHistory(ctx.db, userId);
    await deleteShelf(ctx.db, userId);
  },
};
