/** Numbers in digits and in Chinese numerals. */
export const DIGITS = '零一二三四五六七八九';
const SMALL_UNITS = ['', '十', '百', '千'] as const;

/** Returns the value of a number in digits (50, 1.5万) or Chinese numerals (一千, 五十万); null for anything else. */
export function numberOf(number: string): number | null {
  const inDigits = /^(\d+(?:\.\d+)?)(万?)$/.exec(number);
  // Read as one literal: 1.1 * 10,000 is not 11,000 in floating point.
  if (inDigits) return Number(`${inDigits[1]}${inDigits[2] ? 'e4' : ''}`);
  const [high = '', low, ...more] = number.split('万');
  if (more.length > 0) return null;
  const upper = belowTenThousand(high);
  if (low === undefined || upper === null) return upper;
  const lower = low === '' ? 0 : belowTenThousand(low);
  return lower === null ? null : upper * 10_000 + lower;
}

function belowTenThousand(text: string): number | null {
  let sum = 0;
  let digit: number | null = null;
  for (const char of text.replaceAll('两', '二').replaceAll('〇', '零')) {
    const value = DIGITS.indexOf(char);
    const power = SMALL_UNITS.findIndex((unit) => unit === char);
    if (value > 0 && digit === null) digit = value;
    else if (power > 0) {
      sum += (digit ?? 1) * 10 ** power;
      digit = null;
    } else if (value !== 0) return null;
  }
  return text === '' ? null : sum + (digit ?? 0);
}

/** Writes a whole number up to 99,999,999 in Chinese numerals. */
export function chineseNumber(value: number): string {
  if (value >= 10_000) {
    const rest = value % 10_000;
    const between = rest > 0 && rest < 1_000 ? '零' : '';
    return `${chineseNumber(Math.floor(value / 10_000))}万${rest > 0 ? between + chineseNumber(rest) : ''}`;
  }
  let text = '';
  let isGap = false;
  for (let power = 3; power >= 0; power--) {
    const digit = Math.floor(value / 10 ** power) % 10;
    if (digit === 0) isGap = text !== '';
    else {
      text += `${isGap ? '零' : ''}${DIGITS[digit] ?? ''}${SMALL_UNITS[power] ?? ''}`;
      isGap = false;
    }
  }
  // 十人, not 一十人.
  return text.replace(/^一十/u, '十') || '零';
}
