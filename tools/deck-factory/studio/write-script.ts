import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PptxGenJS from 'pptxgenjs';
import sharp, { type Sharp } from 'sharp';
import { at, createRandom } from '../../../demo/random.ts';
import { themeOf } from '../theme.ts';
import type { Palette } from '../palette.ts';
import { normalizePptx } from '../zip.ts';
import type { Picture } from './art/raster.ts';
import { addCover } from './covers.ts';
import { LOOKS, type Look } from './looks.ts';
import { addChart } from './pages/charts.ts';
import { addCalendar, addFloorPlan, addGantt, addTimeline } from './pages/plans.ts';
import { addCards, addCompare, addFigures, addFunnel, addSteps, addSwot } from './pages/points.ts';
import { addJourney, addMatrix, addMood, addSpots, addTeam } from './pages/scenes.ts';
import { addBudget, addKol, addRunsheet, addTable } from './pages/tables.ts';
import { addAgenda, addClosing, addIdea, addPart } from './pages/words.ts';
import type { Block, Script } from './script.ts';
import type { Pictures, Studio } from './sheet.ts';

const KINDS: Record<string, (deck: Studio, block: Block) => void> = {
  agenda: addAgenda,
  part: addPart,
  idea: addIdea,
  cards: addCards,
  figures: addFigures,
  steps: addSteps,
  compare: addCompare,
  swot: addSwot,
  funnel: addFunnel,
  table: addTable,
  runsheet: addRunsheet,
  budget: addBudget,
  kol: addKol,
  gantt: addGantt,
  timeline: addTimeline,
  plan: addFloorPlan,
  matrix: addMatrix,
  team: addTeam,
  journey: addJourney,
  calendar: addCalendar,
  mood: addMood,
  spots: addSpots,
  ...Object.fromEntries(
    ['column', 'bar', 'stack', 'line', 'area', 'radar', 'pie', 'doughnut', 'combo', 'scatter', 'bubble'].map((kind) => [
      kind,
      addChart,
    ]),
  ),
};

function imageOf(picture: Picture): Sharp {
  const image =
    'svg' in picture
      ? sharp(Buffer.from(picture.svg))
      : sharp(picture.pixels, { raw: { width: picture.width, height: picture.height, channels: 3 } });
  return image.flatten({ background: '#ffffff' });
}

/** Crops of the cover's art of 1280 × 720: left, top, width, height, and the width in which each is saved. */
const CROPS = {
  tall: [662, 0, 618, 720, 520],
  band: [0, 220, 1280, 394, 1000],
  strip: [0, 330, 1280, 120, 1000],
  wide: [480, 135, 800, 450, 720],
} as const;

/** Whether the pages of a deck use more pictures than the cover's, which are then painted. */
function needsMore(script: Script): boolean {
  return script.blocks.some(({ kind }) => kind === 'mood' || kind === 'spots');
}

async function paintPictures(
  script: Script,
  look: Look,
  palette: Palette,
  seed: number,
  workDir: string,
): Promise<Pictures> {
  const path = (name: string) => join(workDir, `s${seed}-${name}.jpg`);
  const paint = (variant: number, salt: number) =>
    imageOf(look.paint({ random: createRandom(seed * 7919 + salt), c: palette.art, variant }));
  const cover = await paint(script.variant, 1).resize(1280, 720).png({ compressionLevel: 1 }).toBuffer();
  await writeFile(path('cover'), await sharp(cover).jpeg({ quality: 58, mozjpeg: true }).toBuffer());
  for (const [name, [left, top, width, height, saved]] of Object.entries(CROPS)) {
    const crop = sharp(cover).extract({ left, top, width, height }).resize(saved);
    await writeFile(path(name), await crop.jpeg({ quality: 52, mozjpeg: true }).toBuffer());
  }
  const more: string[] = [];
  if (needsMore(script)) {
    for (const step of [1, 2]) {
      const file = path(`more-${step}`);
      await writeFile(
        file,
        await paint(script.variant + step, step + 1)
          .resize(640, 360)
          .jpeg({ quality: 50, mozjpeg: true })
          .toBuffer(),
      );
      more.push(file);
    }
  }
  return {
    cover: path('cover'),
    tall: path('tall'),
    band: path('band'),
    strip: path('strip'),
    wide: path('wide'),
    more: more.length ? more : [path('wide')],
  };
}

/**
 * Returns a scripted deck as PPTX; the same script gives the same bytes. `number` is the number of the deck, from 1. `isPdf`: the deck is to
 * become a PDF (Studio).
 */
export async function writeScript(
  script: Script,
  number: number,
  date: string,
  workDir: string,
  isPdf = false,
): Promise<Buffer> {
  const look: Look = LOOKS[script.look];
  const palette = at<Palette>(look.palettes, script.palette);
  const theme = themeOf(look, palette);
  await mkdir(workDir, { recursive: true });
  const pictures = await paintPictures(script, look, palette, number, workDir);
  const pptx = new PptxGenJS();
  pptx.layout = 'LAYOUT_WIDE';
  pptx.title = script.name;
  pptx.author = script.brand;
  pptx.company = script.brand;
  pptx.subject = script.themes.join('、');
  pptx.theme = { headFontFace: look.display, bodyFontFace: look.body };
  const deck: Studio = {
    pptx,
    script,
    look,
    theme,
    random: createRandom(number * 31),
    pictures,
    date,
    number,
    pages: 0,
    chapters: 0,
    isPdf,
  };
  addCover(deck);
  for (const block of script.blocks) {
    const add = KINDS[block.kind];
    if (!add) throw new Error(`${script.slug}: unknown page "${block.kind}"`);
    try {
      add(deck, block);
    } catch (error) {
      throw new Error(
        `${script.slug}, ${block.kind} ${block.title}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }
  addClosing(deck);
  const written = await pptx.write({ outputType: 'nodebuffer' });
  if (!Buffer.isBuffer(written)) throw new Error('expected a buffer from pptxgenjs');
  return normalizePptx(written, `${date}T09:00:00Z`);
}
