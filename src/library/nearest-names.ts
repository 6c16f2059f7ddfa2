/** Less similar names are not proposed. */
const MIN_SIMILARITY = 0.3;

/** Returns at most `most` of the names that share letters with `word`, in any order, the most similar first. */
export function nearestNames(word: string, names: readonly string[], most = 3): string[] {
  return names
    .map((name) => ({ name, likeness: likeness(letters(word), letters(name)) }))
    .filter(({ likeness: score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map(({ name }) => name);
}

const letters = (text: string) => [...text.normalize('NFKC').toLowerCase()].filter((letter) => letter.trim() !== '');

/** Returns the share of common letters, 0 to 1, and a little more for the same first letter. */
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
