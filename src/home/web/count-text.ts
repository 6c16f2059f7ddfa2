/** 10万+ only when it is true (C-13); below that the exact number, thousands separated. */
export function countText(count: number): string {
  return count >= 100_000 ? `${Math.floor(count / 10_000)}万+` : count.toLocaleString('en-US');
}
