import sharp from 'sharp';
import { loadOnce } from './load-once.ts';

/**
 * Font families for text in an SVG that sharp draws: fonts of Linux, macOS and Windows that have Chinese characters.
 */
export const CHINESE_FONTS = 'Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, sans-serif';

/**
 * Characters that Chinese fonts draw as wide as they are high: ideographs, and also the quotation marks, dashes, ellipsis,
 * arrows and shapes that they share with Latin text.
 */
const WIDE = /[·×\u2014-\u{10ffff}]/u;
const NARROW_WIDTH = 0.56;
/** Characters that may not begin a line. */
const CLOSING = /[，。、；：！？）》」』】〉”’％,.;:!?)\]}%·…—-]$/u;

/** Returns the estimated width of a text in units of its font size, without knowing the font. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, char) => sum + (WIDE.test(char) ? 1 : NARROW_WIDTH), 0);
}

/**
 * Breaks a text into at most `lines` lines of `width` units of its font size. Latin words and numbers stay whole, and
 * no line begins with a closing mark: one such mark may stand beyond the width. Text that does not fit ends in an ellipsis.
 */
export function wrapText(text: string, width: number, lines: number): string[] {
  const wrapped: string[] = [''];
  for (const part of text
    .replace(/\s+/g, ' ')
    .trim()
    .match(/[!-~]+|./gsu) ?? []) {
    const line = wrapped.at(-1) ?? '';
    const isFull = textWidth(line + part) > width && line !== '' && !(part.length === 1 && CLOSING.test(part));
    if (!isFull) wrapped[wrapped.length - 1] = line + part;
    else wrapped.push(part === ' ' ? '' : part);
  }
  const trimmed = wrapped.map((line) => line.trim()).filter((line) => line !== '');
  const kept = trimmed.slice(0, lines).map((line) => cut(line, width));
  if (trimmed.length <= lines) return kept;
  return [...kept.slice(0, -1), `${cut(kept.at(-1) ?? '', width - 1)}…`];
}

/** Returns the beginning of a line that fits the width, without its last character if that is a closing mark. */
function cut(line: string, width: number): string {
  const characters = [...line];
  while (characters.length > 0 && textWidth(characters.join('').replace(CLOSING, '')) > width) characters.pop();
  return characters.join('');
}

/** True when this machine has a Chinese font; without one every Chinese character is drawn as the same box. */
export const canDrawChinese = loadOnce(async () => {
  const [one, other] = await Promise.all(['国', '永'].map(drawCharacter));
  return one !== undefined && other !== undefined && !one.equals(other);
});

/** True when this machine has the fonts for a text. */
export async function canDraw(text: string): Promise<boolean> {
  return !/[^\u0020-\u024f]/.test(text) || canDrawChinese();
}

function drawCharacter(char: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><text x="4" y="40" font-size="40">${char}</text></svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).greyscale().raw().toBuffer();
}

/** Escapes text for an SVG. Control characters, which no SVG may hold, are left out. */
export function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').toWellFormed();
  return clean.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
