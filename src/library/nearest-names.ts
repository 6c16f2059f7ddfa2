/** Less alike than this is another word. */
const LEAST = 0.3;

/**
 * Those of `names` that somebody who wrote `word` may have meant, the likeliest first, at most `most`: they share letters, in
 * or out of order. Empty when none is like it.
 */
export function nearestNames(word: string, names: readonly string[], most = 3): string[] {
  return names
    .map((name) => ({ name, likeness: likeness(letters(word), letters(name)) }))
    .filter(({ likeness: score }) => score >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map(({ name }) => name);
}

const letters = (text: string) => [...text.normalize('NFKC').toLowerCase()].filter((letter) => letter.trim() !== '');

/** 0 to 1: the share of letters both have; a little more for a beginning in common. */
function likeness(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const left = [...b];
  let shared = 0;
  for (const letter of a) {
    const at = left.indexOf(letter);
    if (at === -1) continue;
    left.splice(at, 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length) + (a[0] === b[0] ? 0.05 : 0);
}
