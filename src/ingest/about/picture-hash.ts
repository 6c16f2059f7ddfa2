/** Side of the picture that is hashed, and of the corner of its spectrum that is used. */
export const HASHED_SIDE = 32;
const KEPT = 8;

/**
 * Returns the perceptual hash of a picture: the signs of the lowest frequencies of its discrete cosine transform
 * against their median, 64 bits as 16 hex digits. `grey` has 32 × 32 bytes.
 */
export function pictureHash(grey: Uint8Array): string {
  const spectrum = lowFrequencies(grey);
  // The first value is the mean brightness, which does not distinguish pictures.
  const sorted = spectrum.slice(1).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  let value = 0n;
  spectrum.forEach((amount, index) => {
    if (index > 0 && amount > median) value |= 1n << BigInt(index);
  });
  return value.toString(16).padStart(16, '0');
}

function lowFrequencies(grey: Uint8Array): number[] {
  const rows = Array.from({ length: HASHED_SIDE }, (_, y) =>
    cosines(grey.subarray(y * HASHED_SIDE, (y + 1) * HASHED_SIDE)),
  );
  const columns = Array.from({ length: KEPT }, (_, u) => cosines(rows.map((row) => row[u] ?? 0)));
  return Array.from({ length: KEPT * KEPT }, (_, index) => columns[index % KEPT]?.[Math.floor(index / KEPT)] ?? 0);
}

function cosines(line: ArrayLike<number>): number[] {
  return Array.from({ length: KEPT }, (_, u) => {
    let sum = 0;
    for (let x = 0; x < HASHED_SIDE; x++)
      sum += (line[x] ?? 0) * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * HASHED_SIDE));
    return sum;
  });
}
