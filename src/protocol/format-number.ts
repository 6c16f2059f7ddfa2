/**
 * Returns a number with commas between its thousands: 12,345, 1,234.5. `decimals`: digits after the point, at most.
 * Number.toLocaleString would take a browser 10 to 30 ms before the first number of a page, because it loads its locale data.
 */
export function formatNumber(value: number, decimals = 3): string {
  const [whole = '', part] = String(rounded(value, decimals)).split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return part === undefined ? thousands : `${thousands}.${part}`;
}

/** Rounds half away from zero, as the number is written: 1.005 is 1.01, though the nearest double lies below it. */
function rounded(value: number, decimals: number): number {
  if (Number.isInteger(value)) return value;
  // NaN where the number is already written with an exponent.
  const moved = Math.round(Number(`${Math.abs(value)}e${decimals}`));
  const isExact = moved <= Number.MAX_SAFE_INTEGER;
  return isExact ? Math.sign(value) * Number(`${moved}e-${decimals}`) : Number(value.toFixed(decimals));
}
