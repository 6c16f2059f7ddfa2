import { join } from 'node:path';
import sharp from 'sharp';
import { canDrawChinese, escapeXml } from '../../../platform/draw-text.ts';
import type { PreparedCover } from '../../prepared-file.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { coverName } from './page-image.ts';

/**
 * The outline of the words 本页暂无法预览 in Noto Sans CJK SC (SIL Open Font License), 28 units to the em, base line at y = 0.
 * An outline, because the machine may lack a Chinese font.
 */
const NO_PREVIEW_PATH = {
  width: 208,
  d: 'M12.8-23.4L12.8-17.6L1.8-17.6L1.8-15.5L10.3-15.5C8.2-10.7 4.8-6.2 1-3.9C1.5-3.5 2.2-2.7 2.6-2.2C6.6-5 10.2-10 12.4-15.5L12.8-15.5L12.8-5.1L6.3-5.1L6.3-3L12.8-3L12.8 2.2L15.1 2.2L15.1-3L21.6-3L21.6-5.1L15.1-5.1L15.1-15.5L15.5-15.5C17.6-10 21.2-4.9 25.3-2.3C25.7-2.8 26.4-3.7 27-4.1C23.1-6.3 19.6-10.7 17.5-15.5L26.2-15.5L26.2-17.6L15.1-17.6L15.1-23.4ZM12.8-23.4M43-12.9L43-7.8C43-4.9 41.8-1.5 31.4 0.5C31.8 1 32.4 1.8 32.7 2.2C43.5-0.1 45.1-4 45.1-7.8L45.1-12.9ZM45.2-3.1C48.5-1.6 52.7 0.8 54.7 2.3L56 0.6C53.9-0.9 49.6-3.1 46.5-4.5ZM34.8-16.6L34.8-3.6L36.9-3.6L36.9-14.7L51.2-14.7L51.2-3.6L53.4-3.6L53.4-16.6L43.4-16.6C43.9-17.6 44.4-18.8 45-20L56.1-20L56.1-21.9L32.1-21.9L32.1-20L42.5-20C42.2-18.9 41.7-17.6 41.3-16.6ZM34.8-16.6M75.8-21.6L75.8-17.4C75.8-15.1 75.6-12.1 73.8-9.8C74.2-9.6 75-9.1 75.4-8.8C76.9-10.6 77.4-13.2 77.6-15.5L81.3-15.5L81.3-8.8L83.3-8.8L83.3-15.5L86.6-15.5L86.6-17.2L77.7-17.2L77.7-20.2C80.5-20.4 83.6-20.8 85.8-21.5L84.6-23.1C82.5-22.4 78.9-21.8 75.8-21.6ZM66.9-2.7L81.1-2.7L81.1-0.4L66.9-0.4ZM66.9-4.3L66.9-6.6L81.1-6.6L81.1-4.3ZM64.9-8.2L64.9 2.2L66.9 2.2L66.9 1.3L81.1 1.3L81.1 2.2L83.2 2.2L83.2-8.2ZM61.5-12.3L61.7-10.6L68.1-11.3L68.1-8.8L70.1-8.8L70.1-11.5L74.4-12L74.3-13.6L70.1-13.2L70.1-15.2L74.5-15.2L74.5-17L70.1-17L70.1-18.8L68.1-18.8L68.1-17L64.5-17C65.3-17.9 66.1-18.9 66.8-20L74.4-20L74.4-21.6L67.8-21.6L68.6-23L66.5-23.5C66.3-22.9 65.9-22.2 65.6-21.6L61.5-21.6L61.5-20L64.6-20C64-19 63.5-18.3 63.2-18C62.7-17.3 62.3-16.9 61.8-16.8C62.1-16.2 62.4-15.3 62.5-14.9C62.7-15.1 63.6-15.2 64.8-15.2L68.1-15.2L68.1-13ZM61.5-12.3M93.2-21.6L93.2-19.5L102.5-19.5C102.4-17.5 102.3-15.4 102-13.3L91.5-13.3L91.5-11.3L101.6-11.3C100.4-6.5 97.7-2 91.1 0.5C91.6 1 92.2 1.7 92.5 2.2C99.7-0.6 102.5-5.8 103.7-11.3L104.3-11.3L104.3-1.7C104.3 0.9 105.1 1.6 108 1.6C108.5 1.6 112.5 1.6 113.2 1.6C115.9 1.6 116.5 0.4 116.8-4C116.2-4.2 115.3-4.5 114.8-4.9C114.6-1.1 114.4-0.5 113-0.5C112.2-0.5 108.8-0.5 108.2-0.5C106.7-0.5 106.5-0.7 106.5-1.7L106.5-11.3L116.6-11.3L116.6-13.3L104-13.3C104.4-15.4 104.5-17.5 104.6-19.5L115-19.5L115-21.6ZM93.2-21.6M122.7-21.7C124.5-20.8 126.8-19.5 128-18.5L129.2-20.2C128-21.2 125.6-22.4 123.8-23.2ZM121.2-14C123-13.3 125.2-12 126.3-11L127.5-12.8C126.4-13.7 124.1-14.9 122.3-15.6ZM122.1 0.5L123.9 1.9C125.5-0.7 127.5-4.2 129-7.2L127.4-8.5C125.8-5.4 123.6-1.7 122.1 0.5ZM130.8 1.3C131.5 0.9 132.7 0.7 143.2-0.6C143.7 0.5 144.2 1.4 144.4 2.2L146.3 1.3C145.5-0.9 143.3-4.2 141.3-6.7L139.7-5.9C140.5-4.8 141.4-3.5 142.2-2.3L133.3-1.3C135-3.7 136.8-6.7 138.3-9.6L146.2-9.6L146.2-11.6L138.8-11.6L138.8-16.7L145-16.7L145-18.7L138.8-18.7L138.8-23.5L136.7-23.5L136.7-18.7L130.7-18.7L130.7-16.7L136.7-16.7L136.7-11.6L129.5-11.6L129.5-9.6L135.7-9.6C134.3-6.5 132.5-3.5 131.8-2.7C131.1-1.6 130.6-1 130.1-0.8C130.3-0.2 130.7 0.8 130.8 1.3ZM130.8 1.3M168.7-13.8L168.7-8.2C168.7-5.4 168.1-1.6 161.5 0.6C161.9 1 162.5 1.7 162.7 2.1C169.8-0.5 170.7-4.7 170.7-8.2L170.7-13.8ZM170.3-2.5C172-1.1 174.3 1 175.4 2.2L176.8 0.7C175.7-0.5 173.4-2.4 171.7-3.7ZM152.5-17C154.2-15.8 156.3-14.3 157.9-13.1L151.1-13.1L151.1-11.3L155.7-11.3L155.7-0.3C155.7 0.1 155.6 0.2 155.1 0.2C154.8 0.2 153.5 0.2 152 0.2C152.3 0.8 152.6 1.6 152.7 2.2C154.6 2.2 155.9 2.2 156.7 1.8C157.5 1.5 157.7 0.9 157.7-0.2L157.7-11.3L160.7-11.3C160.2-9.7 159.6-8.2 159.1-7.2L160.7-6.7C161.5-8.2 162.3-10.7 163-12.8L161.7-13.2L161.4-13.1L159.5-13.1L160.1-13.9C159.4-14.4 158.5-15 157.5-15.7C159.2-17.2 161-19.3 162.2-21.3L160.9-22.2L160.6-22.1L151.6-22.1L151.6-20.2L159.2-20.2C158.3-19 157.2-17.6 156.1-16.7L153.6-18.3ZM164-17.5L164-4.2L165.9-4.2L165.9-15.6L173.6-15.6L173.6-4.3L175.7-4.3L175.7-17.5L170.2-17.5L171.2-20.3L176.8-20.3L176.8-22.2L163-22.2L163-20.3L168.9-20.3C168.7-19.4 168.5-18.4 168.2-17.5ZM164-17.5M198-17.5C199.4-16.1 201-14.2 201.7-13L203.6-13.9C202.9-15.1 201.3-16.9 199.8-18.2ZM183.2-21.9L183.2-14L185.3-14L185.3-21.9ZM189-23.2L189-13.1L191.1-13.1L191.1-23.2ZM194.8-5.1L194.8-0.7C194.8 1.3 195.5 1.8 198.2 1.8C198.8 1.8 202.5 1.8 203.1 1.8C205.3 1.8 205.9 1.1 206.2-2.1C205.6-2.2 204.8-2.5 204.3-2.8C204.2-0.3 204 0.1 202.9 0.1C202.1 0.1 199 0.1 198.4 0.1C197.1 0.1 196.8-0.1 196.8-0.7L196.8-5.1ZM192.8-9.1L192.8-6.9C192.8-4.7 192-1.5 181.8 0.6C182.3 1 182.9 1.8 183.2 2.3C193.7-0.2 195-4 195-6.9L195-9.1ZM185.5-12.3L185.5-3.4L187.5-3.4L187.5-10.4L200.7-10.4L200.7-3.5L202.9-3.5L202.9-12.3ZM196.4-23.5C195.6-20.4 194.3-17.2 192.6-15.1C193.1-14.9 194-14.4 194.4-14C195.3-15.3 196.2-16.9 196.9-18.7L206.1-18.7L206.1-20.6L197.7-20.6C197.9-21.4 198.2-22.2 198.4-23.1ZM196.4-23.5',
};

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

/** Backgrounds of title cards. The title chooses one, so that cards in a list differ. */
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
