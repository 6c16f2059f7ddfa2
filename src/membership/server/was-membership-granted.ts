import type { Ctx } from '../../context.ts';
import { findGrant } from './store.ts';

/** Whether an operator's grant of that ref was ever made, whatever became of the account since. */
export async function wasMembershipGranted(ctx: Ctx, ref: string): Promise<boolean> {
  return (await findGrant(ctx.db, 'operator', ref)) !== null;
}
