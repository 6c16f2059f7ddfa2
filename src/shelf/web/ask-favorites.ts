import { call } from '../../accounts/web/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { doFavorite, listFavored } from '../contract.ts';
import { keyOf } from './favorite-states.ts';

/** A document (3) or a chart (4). */
export type Target = { type: 3 | 4; id: number };

/** The most ids of one kind in one request. */
const MAX_IDS = 100;

/**
 * Asks which of the targets the member keeps; null when the server cannot be asked. A lazily loaded chunk: the contract's
 * schemas load with the first card of a member.
 */
export async function askFavored(targets: readonly Target[]): Promise<Target[] | null> {
  const found: Target[] = [];
  for (let from = 0; from < targets.length; from += MAX_IDS) {
    const part = targets.slice(from, from + MAX_IDS);
    const idsOf = (type: 3 | 4) => part.flatMap((target) => (target.type === type ? target.id : []));
    const reply = await call(listFavored, { fids: idsOf(3), chart_ids: idsOf(4) }).catch(() => null);
    if (reply?.code !== CODE.ok || !reply.data) return null;
    found.push(...reply.data.fids.map((id): Target => ({ type: 3, id })));
    found.push(...reply.data.chart_ids.map((id): Target => ({ type: 4, id })));
  }
  return found;
}

/** Note and folder of the favourites that a session removed in this tab, so that a second press restores them. */
const removed = new Map<string, { note: string; parent_id: number }>();

/** Adds a target to the favourites or removes it. Returns the server's message, and whether it was done. */
export async function askToKeep(target: Target, isWanted: boolean): Promise<{ isDone: boolean; message: string }> {
  const key = keyOf(target);
  const asked = {
    id: target.id,
    item_type: target.type,
    is_favorite: isWanted ? 1 : 0,
    ...(isWanted && removed.get(key)),
  };
  const { code, message, data } = await call(doFavorite, asked);
  if (code === CODE.ok && data) {
    if (isWanted) removed.delete(key);
    else removed.set(key, { note: data.note, parent_id: data.parent_id });
  }
  return { isDone: code === CODE.ok, message };
}
