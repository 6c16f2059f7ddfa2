import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { deletePersonalData, selectPersonalData } from './store-personal.ts';

/**
 * Coins, membership and downloads of a user. The erasure keeps the ledger and the entitlements that coins paid for,
 * which the ledger's rules need (INV-01, INV-22) and which name only a user id; everything else is deleted.
 */
export const membershipPersonalData: PersonalData = {
  collect: (ctx, userId) => selectPersonalData(ctx.db, userId),
  erase: (ctx, userId) => deletePersonalData(ctx.db, userId),
};
