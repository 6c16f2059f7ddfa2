/**
 * Returns a number with commas between its thousands: 12,345, 1,234.5. `decimals`: digits after the point, at most.
 * Number.toLocaleString would cost a browser 10 to 30 ms, in which it loads the data of its locales, before the first number of a page.
 */
export function grouped(value: number, decimals = 3): string {
  const [whole = '', part] = String(rounded(value, decimals)).split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return part === undefined ? thousands : `${thousands}.${part}`;
}

/** Rounds a half up, as the number is written: 1.005 is 1.01, though the nearest double lies below it. */
function rounded(value: number, decimals: number): number {
  if (Number.isInteger(value)) return value;
  // A number that is written with an exponent already gives NaN.
  const moved = Math.round(Number(`${Math.abs(value)}e${decimals}`));
  return Number.isNaN(moved) ? Number(value.toFixed(decimals)) : Math.sign(value) * Number(`${moved}e-${decimals}`);
}
