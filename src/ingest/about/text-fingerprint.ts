/**
 * Fingerprint of a text, by which copies are recognised. `simhash`: 64 bits as 16 hex digits, similar for similar
 * texts. `sketch`: the smallest hashes of its pieces, sorted, which estimate the share of equal pieces of two texts.
 * `pieces`: number of different pieces.
 */
export type TextFingerprint = { simhash: string; sketch: number[]; pieces: number };

/** Characters of a piece: long enough that two plans share no piece by chance, short enough to survive a line break. */
const PIECE = 5;
/** Number of hashes; 256 estimate shares to within about 0.03. */
const SKETCH = 256;
const MAX_CHARACTERS = 400_000;

/**
 * Returns the fingerprint of the letters of every page, folded and without gaps: a PDF breaks lines elsewhere than its
 * deck, and the numbers of charts are text only in one of them.
 */
export function fingerprintOf(texts: readonly string[]): TextFingerprint {
  const pieces = new Map<number, number>();
  let left = MAX_CHARACTERS;
  for (const text of texts) {
    const letters = text.slice(0, left).normalize('NFKC').toLowerCase().replace(/\P{L}/gu, '');
    for (let at = 0; at + PIECE <= letters.length; at++) {
      const hash = hashOf(letters, at, 0x811c9dc5);
      if (!pieces.has(hash)) pieces.set(hash, hashOf(letters, at, 0x9747b28c));
    }
    left -= text.length;
    if (left <= 0) break;
  }
  const sketch = [...pieces.keys()].sort((a, b) => a - b).slice(0, SKETCH);
  return { simhash: simhashOf(pieces), sketch, pieces: pieces.size };
}

/** FNV-1a over UTF-16 units with the final mixing of MurmurHash3; 32 bits, unsigned. */
function hashOf(text: string, at: number, seed: number): number {
  let hash = seed;
  for (let index = at; index < at + PIECE; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Charikar 2002: each bit has the value that most pieces have there. */
function simhashOf(pieces: ReadonlyMap<number, number>): string {
  const votes = new Int32Array(64);
  for (const [low, high] of pieces) {
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + ((low >>> bit) & 1 ? 1 : -1);
      votes[bit + 32] = (votes[bit + 32] ?? 0) + ((high >>> bit) & 1 ? 1 : -1);
    }
  }
  let value = 0n;
  votes.forEach((vote, bit) => {
    if (vote > 0) value |= 1n << BigInt(bit);
  });
  return value.toString(16).padStart(16, '0');
}

/** Returns the number of bits in which two hashes of 16 hex digits differ, 0–64. */
export function bitsBetween(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; difference > 0n; difference >>= 1n) bits += Number(difference & 1n);
  return bits;
}

/**
 * Returns the share of common pieces among all pieces of two texts, 0–1, estimated from the smallest hashes of both.
 */
export function sharedPieces(a: readonly number[], b: readonly number[]): number {
  const inA = new Set(a);
  const inB = new Set(b);
  const whole = Math.min(SKETCH, Math.max(a.length, b.length));
  const union = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, whole);
  if (union.length === 0) return 0;
  return union.filter((hash) => inA.has(hash) && inB.has(hash)).length / union.length;
}
