/** Functions on colours, which are six hex digits without `#`, as PPTX requires. */

function channels(hex: string): [number, number, number] {
  const n = Number.parseInt(hex, 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** Blends `share` (0..1) of `b` into `a`. */
export function mix(a: string, b: string, share: number): string {
  const from = channels(a);
  const to = channels(b);
  return from
    .map((value, i) =>
      Math.round(value + ((to[i] ?? value) - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase();
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map((value) => {
    const x = value / 255;
    return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** Returns the WCAG contrast ratio, 1..21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Moves `colour` towards black or white until its contrast with `ground` reaches `ratio`. */
export function readable(colour: string, ground: string, ratio = 4.5): string {
  const target = luminance(ground) > 0.3 ? '000000' : 'FFFFFF';
  let share = 0;
  let result = colour;
  while (contrast(result, ground) < ratio && share < 1) {
    share += 0.06;
    result = mix(colour, target, Math.min(share, 1));
  }
  return result;
}

/** Returns white or near-black, whichever has more contrast with `ground`. */
export function inkOn(ground: string): string {
  return contrast('FFFFFF', ground) >= 3.6 ? 'FFFFFF' : '17161A';
}
