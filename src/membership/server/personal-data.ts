import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { deletePersonalData, selectPersonalData } from './store-personal.ts';

/**
 * Coins, membership and downloads of a user. Erasing leaves the ledger and the rights coins paid for, which the books
 * need (INV-01, INV-22) and which name a number alone; all else goes.
 */
export const membershipPersonalData: PersonalData = {
  collect: (ctx, userId) => selectPersonalData(ctx.db, userId),
  erase: (ctx, userId) => deletePersonalData(ctx.db, userId),
};
