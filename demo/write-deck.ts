import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PptxGenJS from 'pptxgenjs';
import sharp from 'sharp';
import { drawScene } from './art/scenes.ts';
import type { Entry } from './catalogue.ts';
import type { DeckCopy } from './copy/copy.ts';
import type { Deck } from './deck.ts';
import { chartColours, labelFor } from './deck.ts';
import { createRandom, type Random } from './random.ts';
import { addAudience, addHighlights, addInsight, addStrategy } from './slides/argument.ts';
import { addBudget, addCharts, addGoals, addTrend } from './slides/numbers.ts';
import { addAgenda, addClosing, addConcept, addCover } from './slides/opening.ts';
import { addCommunication, addSpace, addTeam, addTimeline } from './slides/plan.ts';
import { writeScript } from './studio/write-script.ts';
import { createTheme, paletteOf, styleOf } from './theme.ts';
import { normalizePptx } from './zip.ts';

const SLIDES = {
  agenda: addAgenda,
  insight: addInsight,
  audience: addAudience,
  concept: addConcept,
  strategy: addStrategy,
  highlights: addHighlights,
  space: addSpace,
  timeline: addTimeline,
  communication: addCommunication,
  budget: addBudget,
  charts: addCharts,
  trend: addTrend,
  goals: addGoals,
  team: addTeam,
};
type SlideName = keyof typeof SLIDES;

const ORDER: readonly SlideName[] = [
  'agenda',
  'insight',
  'audience',
  'concept',
  'strategy',
  'highlights',
  'space',
  'timeline',
  'communication',
  'budget',
  'charts',
  'trend',
  'goals',
  'team',
];
/** Which slides may go, and the length the deck aims at (with cover and closing 8 to 14). */
const OPTIONAL: readonly SlideName[] = [
  'team',
  'goals',
  'audience',
  'space',
  'communication',
  'trend',
  'agenda',
  'budget',
];

/** Leave out optional slides until the deck has the length it was dealt. */
export function chooseSlides(random: Random): SlideName[] {
  const length = 8 + Math.min(random.int(7), random.int(7), random.int(9));
  const chosen = new Set<SlideName>(ORDER);
  const pool = [...OPTIONAL];
  while (chosen.size + 2 > length && pool.length > 0) {
    const [gone] = pool.splice(random.int(Math.min(pool.length, 5)), 1);
    if (gone) chosen.delete(gone);
  }
  return ORDER.filter((name) => chosen.has(name));
}

async function saveJpeg(
  svg: string,
  path: string,
  quality: number,
  crop?: { left: number; width: number },
): Promise<void> {
  let image = sharp(Buffer.from(svg));
  if (crop)
    image = sharp(await image.png().toBuffer()).extract({ left: crop.left, top: 0, width: crop.width, height: 720 });
  await writeFile(path, await image.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true }).toBuffer());
}

function scaleBudget(copy: DeckCopy, random: Random): Deck['budget'] {
  const factor = random.range(0.72, 1.5);
  return copy.play.budget.map((line) => {
    const yuan = line.yuan * factor * random.range(0.9, 1.1);
    const grain = yuan > 20_000 ? 1000 : yuan > 1000 ? 100 : yuan > 100 ? 10 : 1;
    return { ...line, yuan: Math.max(1, Math.round(yuan / grain) * grain) };
  });
}

function chaptersOf(copy: DeckCopy, look: number): Deck['chapters'] {
  const label = (slide: Parameters<typeof labelFor>[1]) => labelFor(copy, slide, look);
  return [
    { title: label('insight'), text: copy.industry.insights[0]?.title ?? '' },
    {
      title: label('strategy'),
      text: copy.play.strategy
        .slice(0, 2)
        .map((point) => point.title)
        .join(' · '),
    },
    { title: label('highlights'), text: copy.highlights[0]?.title ?? '' },
    {
      title: label('timeline'),
      text: copy.play.timeline
        .slice(0, 3)
        .map((step) => step.phase)
        .join(' · '),
    },
    { title: label('budget'), text: `${copy.play.budget.length} 项费用与结构` },
    {
      title: label('goals'),
      text: copy.play.goals
        .slice(0, 2)
        .map((goal) => `${goal.title}${goal.text}`)
        .join(' · '),
    },
  ];
}

/** Write one deck as PPTX; the same entry gives the same bytes. `workDir` receives its pictures. */
export function writeDeck(entry: Entry, workDir: string): Promise<Buffer> {
  const { source, number, date } = entry;
  if ('script' in source) return writeScript(source.script, number, date, workDir);
  return writeCopy(entry, source.copy, workDir);
}

async function writeCopy(entry: Entry, copy: DeckCopy, workDir: string): Promise<Buffer> {
  const random = createRandom(copy.index * 104_729 + 13);
  const look = random.int(12);
  const style = styleOf(copy.style);
  const palette = paletteOf(copy.style, copy.palette);
  const theme = createTheme(copy.style, copy.palette, entry.fileType === 'ppt');
  await mkdir(workDir, { recursive: true });
  const art = style.art({ random, c: palette.art, variant: copy.variant });
  const coverPath = join(workDir, `${copy.index}-cover.jpg`);
  const stripPath = join(workDir, `${copy.index}-strip.jpg`);
  await saveJpeg(art.svg, coverPath, 62);
  const scenePaths: string[] = [];
  for (let i = 0; i < 3; i++) {
    const path = join(workDir, `${copy.index}-scene-${i}.jpg`);
    await saveJpeg(drawScene(copy.play.key, i + look, random, theme.fills), path, 54);
    scenePaths.push(path);
  }
  const chosen = chooseSlides(random);
  // Native charts become bulky OLE objects in the old format.
  const slides = entry.fileType === 'ppt' ? chosen.filter((name) => name !== 'charts' && name !== 'trend') : chosen;
  if (slides.includes('agenda') && look % 2 === 1)
    await saveJpeg(art.svg, stripPath, 54, { left: art.layout === 'center' ? 440 : 790, width: 394 });

  const pptx = new PptxGenJS();
  pptx.layout = 'LAYOUT_WIDE';
  pptx.title = copy.name;
  pptx.author = entry.researcher || copy.brand;
  pptx.company = copy.brand;
  pptx.subject = copy.themes.join('、');
  pptx.theme = { headFontFace: style.display, bodyFontFace: style.body };
  let pages = 1;
  const deck: Deck = {
    pptx,
    copy,
    theme,
    random,
    look,
    date: entry.date,
    coverLayout: art.layout,
    coverPath,
    stripPath,
    scenePaths,
    budget: scaleBudget(copy, random),
    chapters: chaptersOf(copy, look),
    chartColours: chartColours(theme),
    heading: (title, kicker) => ({ title, kicker, footer: `${copy.brand} · ${copy.slogan}`, number: ++pages }),
    label: (slide) => labelFor(copy, slide, look),
  };
  addCover(deck);
  for (const name of slides) {
    SLIDES[name](deck);
    if (name === 'concept' || (name === 'agenda' && look % 2 === 1)) pages++;
  }
  addClosing(deck);
  const written = await pptx.write({ outputType: 'nodebuffer' });
  if (!Buffer.isBuffer(written)) throw new Error('expected a buffer from pptxgenjs');
  return normalizePptx(written, `${entry.date}T09:00:00Z`);
}
