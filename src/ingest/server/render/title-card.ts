import { join } from 'node:path';
import sharp from 'sharp';

/** The words 本页暂无法预览 as an outline, because the machine may lack a Chinese font. */
import { NO_PREVIEW_PATH } from './no-preview-outline.ts';
import { canDrawChinese, escapeXml } from '../../../platform/draw-text.ts';
import type { PreparedCover } from '../../prepared-file.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { coverName } from './page-image.ts';

/** Writes a grey placeholder for a page that could not be drawn. */
export async function drawPlaceholder(file: string, size: { width: number; height: number }): Promise<void> {
  const { width, height } = size;
  const scale = Math.max(0.1, Math.min(width / 1280, height / 360));
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="#f1f2f4"/>` +
    `<g transform="translate(${width / 2} ${height / 2}) scale(${scale})" fill="#9aa0a8">` +
    `<path transform="translate(${-NO_PREVIEW_PATH.width / 2} 14)" d="${NO_PREVIEW_PATH.d}"/></g></svg>`;
  await sharp(Buffer.from(svg)).flatten().webp({ quality: 80, effort: 2 }).toFile(file);
}

/** Backgrounds of title cards. The title chooses one, so that cards on a shelf differ. */
const GROUNDS = ['#1f3a5f', '#5b2333', '#20504f', '#4a3f6b', '#6b4423', '#2f4858'];

/** Draws a cover with the title, in all sizes, into a folder: for a deck that has no thumbnail and no pages yet. */
export async function drawTitleCard(folder: string, title: string, aspect: number): Promise<PreparedCover> {
  const [width, ...larger] = limits.coverWidths;
  const height = Math.round(width / Math.min(4, Math.max(0.5, aspect)));
  const ground =
    GROUNDS[[...title].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % GROUNDS.length] ?? '#2f4858';
  const lines = (await canDrawChinese()) ? wrapTitle(title) : [];
  const size = 30;
  const top = height / 2 - ((lines.length - 1) * size * 1.4) / 2 + size * 0.35;
  const text = lines
    .map((line, index) => `<text x="36" y="${top + index * size * 1.4}">${escapeXml(line)}</text>`)
    .join('');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="${ground}"/><rect width="8" height="100%" fill="#ffffff" opacity="0.35"/>` +
    `<circle cx="${width}" cy="0" r="${height * 0.6}" fill="#ffffff" opacity="0.06"/>` +
    `<g font-family="Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, sans-serif" font-size="${size}" font-weight="700" fill="#ffffff">${text}</g></svg>`;
  const draw = async (wanted: number) => {
    const image = join(folder, `${coverName(wanted)}.webp`);
    const picture = sharp(Buffer.from(svg), { density: (72 * wanted) / width }).flatten();
    await picture.webp({ quality: 80, effort: 2 }).toFile(image);
    return { width: wanted, image };
  };
  const { image } = await draw(width);
  return { image, width, height, color: ground, larger: await Promise.all(larger.map(draw)) };
}

/** Splits a title into at most three lines of about thirteen Chinese characters. */
function wrapTitle(title: string): string[] {
  const lines = [''];
  let wide = 0;
  for (const char of title.replace(/\s+/g, ' ').trim()) {
    const charWidth = (char.codePointAt(0) ?? 0) > 0x2e7f ? 1 : 0.55;
    if (wide + charWidth > 13) {
      if (lines.length === 3) return [...lines.slice(0, 2), `${(lines[2] ?? '').slice(0, -1)}…`];
      lines.push('');
      wide = 0;
    }
    lines[lines.length - 1] += char;
    wide += charWidth;
  }
  return lines.filter((line) => line.trim() !== '');
}
