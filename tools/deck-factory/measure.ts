/** Fits text into boxes without a layout engine: widths, in points, are estimated generously. */

/** Line height of the Noto CJK fonts in ems; other fonts have smaller lines. */
const LINE_EMS = 1.46;

function emsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0x2e7f || '“”‘’…—·≥±㎡'.includes(character)) return 1;
  if (/[0-9]/.test(character)) return 0.6;
  if (/[A-Z%&W]/.test(character)) return 0.72;
  if (/[a-z]/.test(character)) return 0.58;
  return 0.36;
}

/** Returns the width of an unwrapped line in points. `spacing` is the letter spacing in points. */
export function lineWidth(text: string, size: number, spacing = 0): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character);
  return ems * size + [...text].length * spacing;
}

/** Returns the height of wrapped text in points. */
function blockHeight(text: string, size: number, width: number, spacing: number, leading: number): number {
  let lines = 0;
  for (const paragraph of text.split('\n')) {
    lines += Math.max(1, Math.ceil(lineWidth(paragraph, size, spacing) / (width * 0.965)));
  }
  return lines * size * LINE_EMS * leading;
}

/** Words that Intl.Segmenter does not know and that a line break must not split. */
const WHOLE = ['小红书', '双节', '双十一', '抖音', '美陈', '农产品', '消费季', '订货会', '快闪'];

/** Breaks a line that does not fit into `width` inches into two lines of about equal length, between words. */
export function balance(text: string, width: number, size: number): string {
  if (lineWidth(text, size) <= width * 72 * 0.965) return text;
  const middle = lineWidth(text, size) * 0.52;
  let head = '';
  let best = '';
  let distance = Infinity;
  const inside = new Set(
    WHOLE.flatMap((word) => {
      const start = text.indexOf(word);
      return start < 0 ? [] : Array.from({ length: word.length - 1 }, (_, i) => start + i + 1);
    }),
  );
  for (const { segment } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)) {
    const opening = /^[“（《【]/.test(segment);
    const off = Math.abs(lineWidth(head, size) - middle);
    if (
      head !== '' &&
      off < distance &&
      !inside.has(head.length) &&
      !/^[”）》】：、，·]/.test(segment) &&
      !/[“（《【]$/.test(head) &&
      !opening
    ) {
      distance = off;
      best = head;
    }
    head += segment;
  }
  return best === '' ? text : `${best}\n${text.slice(best.length)}`;
}

export interface FitInput {
  text: string;
  /** The box, in inches. */
  w: number;
  h: number;
  /** Preferred size and smallest acceptable size, in points. */
  size: number;
  min: number;
  spacing: number;
  leading: number;
  /** Maximum number of lines. */
  lines?: number;
}

/** Returns the largest size in points at which the text fits into its box. Throws when even `min` is too large. */
export function fitSize(input: FitInput): number {
  const width = input.w * 72;
  const height = input.h * 72;
  for (let size = input.size; size >= input.min; size -= 0.5) {
    const tall = blockHeight(input.text, size, width, input.spacing, input.leading);
    const limit = input.lines ? Math.min(height, input.lines * size * LINE_EMS * input.leading + 0.1) : height;
    if (tall <= limit + 0.1) return size;
  }
  throw new Error(`text does not fit ${input.w}x${input.h} in at ${input.min} pt: ${input.text}`);
}
