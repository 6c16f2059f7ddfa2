/** Key in sessionStorage of the orders of this tab, which survive a reload of the page there. */
export const NOTE = 'ceku-orders';

/**
 * Tells whether this tab has noted orders, which kept-orders.ts reads. Every page asks; this file is apart from the checks of a note, which
 * few pages need.
 */
export function hasOrdersNote(): boolean {
  try {
    return window.sessionStorage.getItem(NOTE) !== null;
  } catch {
    return false;
  }
}
