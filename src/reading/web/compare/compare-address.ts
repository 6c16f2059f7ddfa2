/** The pages of two documents that are read side by side, left and right. */
export type PagePair = readonly [left: number, right: number];

/** Returns the hash that names both pages: `#p=3,12`. */
export const pairHash = ([left, right]: PagePair): string => `#p=${left},${right}`;

/** Returns the pages that a hash names; the first page where it names none. */
export function pairOf(hash: string): PagePair {
  const [, left, right] = /^#p=(\d{1,5})(?:,(\d{1,5}))?$/.exec(hash) ?? [];
  return [Math.max(Number(left ?? 1), 1), Math.max(Number(right ?? 1), 1)];
}

/**
 * Returns the pages after one side was turned to `page`. When both turn together the other side goes as many pages on, as
 * far as it has pages. `last` are the last pages of both.
 */
export function turnPair(pages: PagePair, side: 0 | 1, page: number, { last, isLinked }: TurnRules): PagePair {
  const clamp = (wanted: number, of: 0 | 1) => Math.min(Math.max(wanted, 1), last[of]);
  const turned = clamp(page, side);
  const other = side === 0 ? 1 : 0;
  const moved = isLinked ? clamp(pages[other] + page - pages[side], other) : pages[other];
  return side === 0 ? [turned, moved] : [moved, turned];
}

type TurnRules = { last: PagePair; isLinked: boolean };
