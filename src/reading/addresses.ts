/** Returns the path of two documents side by side; without the second, of the page that chooses it. */
export const comparePath = (left: number, right = 0): string => `/compare/${left}${right > 0 ? `/${right}` : ''}`;

/**
 * Returns the document id that a detail address names (C-20): the path segment wins, `?fid=` counts only where the
 * segment is missing or not a number. Returns 0 for an address that names none.
 */
export function documentIdOf(segment: string | undefined, fid: string | null): number {
  return idOf(segment) ?? idOf(fid) ?? 0;
}

function idOf(text: string | null | undefined): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
