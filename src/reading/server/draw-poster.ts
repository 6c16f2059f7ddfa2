import { readFile } from 'node:fs/promises';
import sharp, { type OverlayOptions } from 'sharp';
import { canDrawChinese, CHINESE_FONTS, escapeXml, textWidth, wrapText } from '../../platform/draw-text.ts';
import { drawQr } from '../../platform/draw-qr.ts';

const MARK = new URL('../../../public/favicon.svg', import.meta.url);

/** Pixels. */
const WIDTH = 1080;
const MARGIN = 64;
const INNER = WIDTH - 2 * MARGIN;
const TILE_GAP = 24;
const TILE = { width: Math.floor((INNER - 2 * TILE_GAP) / 3), height: 176 };
/** Characters in a line of a tile. */
const TILE_LINE = 8.6;
const FOOT_HEIGHT = 288;
const QR_WIDTH = 224;
/** Maximum height of the cover; a narrower cover is placed on a background of its own colour. */
const MAX_COVER_HEIGHT = 720;

/** PNG settings of the intermediate layers. */
const FAST = { compressionLevel: 1 };

const PAPER = '#faf8f4';
const INK = '#1c1b19';
const INK_2 = '#6b665e';
const SEAL = '#c8371f';

type PosterFacts = {
  title: string;
  /** PPTX · 25 页 · 餐饮 */
  facts: string;
  /** The cover image; null without one. */
  cover: Buffer | null;
  /** `#rrggbb` */
  color: string;
  /** Titles of pages, from the outline. */
  pages: readonly { page: number; title: string }[];
  /** Text beside the QR code: the page that the code opens. */
  hint: string;
  /** The text of the QR code. */
  link: string;
  siteName: string;
};

/**
 * Draws a poster for a chat or a wall as JPEG: cover, title, three pages, QR code and the site's name. Page images are
 * for members only and everybody sees a poster, so each of the three pages is drawn as its title on a blurred cut of
 * the cover. Without a Chinese font the text is left out; covers usually carry the title.
 */
export async function drawPoster(facts: PosterFacts): Promise<Buffer> {
  const hasWords = await canDrawChinese();
  const { image: cover, height: coverHeight } = await drawCover(facts);
  const layers: OverlayOptions[] = [{ input: cover, left: MARGIN, top: MARGIN }];
  const words: string[] = [];
  let y = MARGIN + coverHeight;

  if (hasWords) {
    const { lines, size } = fitTitle(facts.title);
    y += 44;
    for (const line of lines) {
      y += Math.round(size * 1.32);
      words.push(text(line, { x: MARGIN, y: y - size * 0.24, size, weight: 800, color: INK }));
    }
    y += 52;
    words.push(text(facts.facts, { x: MARGIN, y, size: 28, color: INK_2 }));
    const tiles = await drawTiles(facts);
    if (tiles.length > 0) {
      y += 40;
      layers.push(...tiles.map((input, at) => ({ input, left: MARGIN + at * (TILE.width + TILE_GAP), top: y })));
      y += TILE.height;
    }
  }

  y += 48;
  const height = y + FOOT_HEIGHT;
  words.push(`<rect x="0" y="${y}" width="${WIDTH}" height="${FOOT_HEIGHT}" fill="#ffffff"/>`);
  words.push(`<rect x="0" y="${y}" width="${WIDTH}" height="2" fill="#e8e3da"/>`);
  const qr = await sharp(await drawQr(facts.link, QR_WIDTH))
    .resize(QR_WIDTH, QR_WIDTH)
    .png(FAST)
    .toBuffer();
  const mark = await sharp(await readFile(MARK), { density: 192 })
    .resize(64, 64)
    .png(FAST)
    .toBuffer();
  const foot = y + (FOOT_HEIGHT - QR_WIDTH) / 2;
  layers.push({ input: qr, left: MARGIN - 12, top: foot });
  const besideQr = MARGIN + QR_WIDTH + 28;
  layers.push({ input: mark, left: hasWords ? besideQr : WIDTH - MARGIN - 64, top: foot + QR_WIDTH - 64 - 8 });
  if (hasWords) {
    words.push(text('长按识别二维码', { x: besideQr, y: foot + 52, size: 40, weight: 800, color: INK }));
    words.push(text(facts.hint, { x: besideQr, y: foot + 104, size: 28, color: INK_2 }));
    const name = wrapText(facts.siteName, 14, 1)[0] ?? '';
    words.push(text(name, { x: besideQr + 80, y: foot + QR_WIDTH - 28, size: 34, weight: 800, color: INK }));
  }

  const ground = sharp({ create: { width: WIDTH, height, channels: 3, background: PAPER } });
  const page = Buffer.from(svgOf(WIDTH, height, words.join('')));
  return ground
    .composite([{ input: page, left: 0, top: 0 }, ...layers])
    .jpeg({ quality: 86, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/**
 * Returns the lines and the font size of the title: larger for short titles; 60 Chinese characters still fit into three
 * lines.
 */
function fitTitle(title: string): { lines: string[]; size: number } {
  const large = 58;
  const lines = wrapText(title, INNER / large, 3);
  if (lines.length < 3 && !lines.some((line) => line.endsWith('…'))) return { lines, size: large };
  const small = 46;
  return { lines: wrapText(title, INNER / small, 3), size: small };
}

async function drawCover(facts: PosterFacts): Promise<{ image: Buffer; height: number }> {
  const { width = 16, height = 9 } = facts.cover ? await sharp(facts.cover).metadata() : {};
  const boxHeight = Math.round(Math.min((INNER * height) / width, MAX_COVER_HEIGHT));
  const box = { width: INNER, height: boxHeight };
  const ground = sharp({ create: { ...box, channels: 4, background: tintOf(facts.color) } });
  const inside: OverlayOptions[] = [];
  if (facts.cover) {
    const picture = await sharp(facts.cover)
      .resize({ ...box, fit: 'inside' })
      .png(FAST)
      .toBuffer({ resolveWithObject: true });
    inside.push({ input: picture.data });
  } else {
    const mark = await sharp(await readFile(MARK), { density: 288 })
      .resize(160, 160)
      .png(FAST)
      .toBuffer();
    inside.push({ input: mark });
  }
  return { image: await rounded(await ground.composite(inside).png(FAST).toBuffer(), box, 20), height: boxHeight };
}

/** Draws the tiles: titles of pages on blurred cuts of the cover, or on its colour. */
async function drawTiles(facts: PosterFacts): Promise<Buffer[]> {
  const pages = pagesToShow(facts.pages);
  if (pages.length < 3) return [];
  return Promise.all(
    pages.map(async ({ page, title }, at) => {
      // Two even lines rather than a full one and a single character.
      const lines = wrapText(title, Math.min(TILE_LINE, Math.max(textWidth(title) / 2 + 0.6, 5)), 2);
      const words =
        `<rect width="100%" height="100%" fill="${INK}" opacity="0.46"/>` +
        text(String(page).padStart(2, '0'), { x: 24, y: 52, size: 26, color: '#ffffff', opacity: 0.8 }) +
        lines
          .map((line, index) =>
            text(line, { x: 24, y: 152 - (lines.length - 1 - index) * 40, size: 30, weight: 700, color: '#ffffff' }),
          )
          .join('');
      const ground = await cutOfCover(facts, at);
      const tile = await sharp(ground)
        .composite([{ input: Buffer.from(svgOf(TILE.width, TILE.height, words)) }])
        .png(FAST)
        .toBuffer();
      return rounded(tile, TILE, 12);
    }),
  );
}

async function cutOfCover(facts: PosterFacts, at: number): Promise<Buffer> {
  if (!facts.cover)
    return sharp({ create: { ...TILE, channels: 3, background: facts.color } })
      .png(FAST)
      .toBuffer();
  const wide = await sharp(facts.cover)
    .resize(TILE.width * 3, TILE.height, { fit: 'cover' })
    .png(FAST)
    .toBuffer();
  return sharp(wide)
    .extract({ left: at * TILE.width, top: 0, ...TILE })
    .blur(14)
    .png(FAST)
    .toBuffer();
}

/** Picks three pages that describe the plan: not the cover, the table of contents or the closing page. */
export function pagesToShow(pages: PosterFacts['pages']): PosterFacts['pages'] {
  const telling = pages.filter(
    ({ page, title }) =>
      page > 1 && [...title].length >= 3 && !/^(目录|contents?|agenda|谢谢|感谢|thank)/i.test(title.trim()),
  );
  if (telling.length <= 3) return telling;
  return [0, 1, 2].flatMap((at) => telling[Math.floor((at * telling.length) / 3)] ?? []);
}

function rounded(image: Buffer, { width, height }: { width: number; height: number }, radius: number): Promise<Buffer> {
  const mask = svgOf(width, height, `<rect width="${width}" height="${height}" rx="${radius}"/>`);
  return sharp(image)
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png(FAST)
    .toBuffer();
}

const svgOf = (width: number, height: number, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`;

function text(
  content: string,
  at: { x: number; y: number; size: number; color: string; weight?: number; opacity?: number },
): string {
  return (
    `<text x="${at.x}" y="${at.y}" font-family="${CHINESE_FONTS}" font-size="${at.size}" font-weight="${at.weight ?? 400}" ` +
    `fill="${at.color}" fill-opacity="${at.opacity ?? 1}">${escapeXml(content)}</text>`
  );
}

/** Returns a much lighter shade of the cover's colour, the background of a narrow cover. */
function tintOf(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? `${color}3d` : `${SEAL}14`;
}
