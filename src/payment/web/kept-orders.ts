import type { Wanted } from '../../accounts/web/continue-wanted.ts';
import { CHANNELS } from '../ports.ts';
import { NOTE } from './orders-note.ts';
import type { PayCode } from './pay-state.ts';

/**
 * An order that this tab showed a QR code of. It can be paid after its dialog was closed. `name`: of the item, '' when it is not known;
 * `continues`: what goes on after the payment, as `Purchase.continues`; `page`: path and query where it was wanted; `userId`: the member
 * who ordered.
 */
export type KeptOrder = PayCode & { name: string; continues: Wanted | null; page: string; userId: number };

/** Returns what goes on after the payment of an order, for a page `here` that may not be the one where the order was made. */
export function wishOf({ continues, page }: KeptOrder, here: string): Wanted | null {
  return continues && continues.address === undefined && page !== here ? { ...continues, address: page } : continues;
}

/** Returns the orders of this tab that can still be paid at `now`, in Unix milliseconds, the newest first. */
export function readKeptOrders(now: number): KeptOrder[] {
  try {
    const note: unknown = JSON.parse(window.sessionStorage.getItem(NOTE) ?? '[]');
    return Array.isArray(note) ? note.filter((order) => isKeptOrder(order) && order.expiresAt > now) : [];
  } catch {
    return [];
  }
}

/** Replaces the orders of this tab. Where storage is blocked they live as long as the page. */
export function writeKeptOrders(orders: readonly KeptOrder[]): void {
  try {
    if (orders.length > 0) window.sessionStorage.setItem(NOTE, JSON.stringify(orders));
    else window.sessionStorage.removeItem(NOTE);
  } catch {}
}

/** Another build of the site may have written the note. */
function isKeptOrder(order: unknown): order is KeptOrder {
  if (typeof order !== 'object' || order === null) return false;
  const facts: { [Name in keyof KeptOrder]?: unknown } = order;
  const { continues } = facts;
  return (
    [facts.itemId, facts.totalFen, facts.expiresAt, facts.userId].every(Number.isFinite) &&
    [facts.outTradeNo, facts.content, facts.name].every((text) => typeof text === 'string') &&
    CHANNELS.some((channel) => channel === facts.channel) &&
    (facts.kind === 'vip' || facts.kind === 'coin') &&
    isAddress(facts.page) &&
    (continues === null || isWanted(continues))
  );
}

function isWanted(continues: unknown): boolean {
  if (typeof continues !== 'object' || continues === null) return false;
  const { key, address }: { key?: unknown; address?: unknown } = continues;
  return (address === undefined || isAddress(address)) && (key === null || typeof key === 'string');
}

/** An address of this site alone: `//host` would lead elsewhere. */
const isAddress = (address: unknown): boolean => typeof address === 'string' && /^\/(?![/\\])/.test(address);
