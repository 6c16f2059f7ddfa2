/**
 * Fingerprint of a text, by which copies are recognised. `simhash`: 64 bits as 16 hex digits, similar for similar
 * texts. `minHashes` (MinHash, bottom-k): the smallest hashes of its shingles, sorted, which estimate the Jaccard index
 * of two texts. `shingleCount`: number of different shingles.
 */
export type TextFingerprint = { simhash: string; minHashes: number[]; shingleCount: number };

/** Characters of a shingle: long enough that two plans share none by chance, short enough to survive a line break. */
const SHINGLE = 5;
/** Number of hashes; 256 estimate shares to within about 0.03. */
const MIN_HASHES = 256;
const MAX_CHARACTERS = 400_000;

/**
 * Returns the fingerprint of the letters of every page, folded and without gaps: a PDF breaks lines elsewhere than its
 * deck, and the numbers of charts are text only in one of them.
 */
export function fingerprintOf(texts: readonly string[]): TextFingerprint {
  const shingles = new Map<number, number>();
  let left = MAX_CHARACTERS;
  for (const text of texts) {
    const letters = text.slice(0, left).normalize('NFKC').toLowerCase().replace(/\P{L}/gu, '');
    for (let at = 0; at + SHINGLE <= letters.length; at++) {
      const hash = hashOf(letters, at, 0x811c9dc5);
      if (!shingles.has(hash)) shingles.set(hash, hashOf(letters, at, 0x9747b28c));
    }
    left -= text.length;
    if (left <= 0) break;
  }
  const minHashes = [...shingles.keys()].sort((a, b) => a - b).slice(0, MIN_HASHES);
  return { simhash: simhashOf(shingles), minHashes, shingleCount: shingles.size };
}

/** FNV-1a over UTF-16 units with the final mixing of MurmurHash3; 32 bits, unsigned. */
function hashOf(text: string, at: number, seed: number): number {
  let hash = seed;
  for (let index = at; index < at + SHINGLE; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Charikar 2002: each bit has the value that most shingles have there. */
function simhashOf(shingles: ReadonlyMap<number, number>): string {
  const votes = new Int32Array(64);
  for (const [low, high] of shingles) {
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
export function hammingDistance(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; difference > 0n; difference >>= 1n) bits += Number(difference & 1n);
  return bits;
}

/**
 * Returns the Jaccard index of two texts, 0–1: the share of common shingles among all of both, estimated from the smallest hashes of both.
 */
export function estimateJaccard(a: readonly number[], b: readonly number[]): number {
  const inA = new Set(a);
  const inB = new Set(b);
  const whole = Math.min(MIN_HASHES, Math.max(a.length, b.length));
  const union = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, whole);
  if (union.length === 0) return 0;
  return union.filter((hash) => inA.has(hash) && inB.has(hash)).length / union.length;
}
