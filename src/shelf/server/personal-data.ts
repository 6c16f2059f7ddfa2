import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { deletePersonalData, selectPersonalData } from './store-personal.ts';
import { deleteHistory, selectPositions, selectReads } from './store-reads.ts';

/** Personal data: what a user keeps, in which folders and with which notes, whom they showed it, and what they read. */
export const shelfPersonalData: PersonalData = {
  collect: async (ctx, userId) => ({
    ...(await selectPersonalData(ctx.db, userId)),
    reads: await selectReads(ctx.db, userId),
    positions: (await selectPositions(ctx.db, userId)).map(({ documentId, page, readAt }) => ({
      documentId,
      page,
      readAt,
    })),
  }),
  async erase(ctx, userId) {
    await deleteHistory(ctx.db, userId);
    await deletePersonalData(ctx.db, userId);
  },
};
