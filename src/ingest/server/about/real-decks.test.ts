/** How well descriptions do on real decks: those of the demo library, which its makers filed by hand. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withoutRunningLines } from '../../about/weigh-words.ts';
import { isVersionOf, MIN_SHINGLES, type VersionFacts } from '../../about/is-version.ts';
import { proposeIndustry, proposeThemes, scoreLabels } from '../../about/propose-labels.ts';
import { fingerprintOf } from '../../about/text-fingerprint.ts';
import { cleanText } from '../../page-text.ts';
import { chooseTitle } from '../../titles.ts';
import { convertManyToPdf, findConverter } from '../convert/convert-to-pdf.ts';
import { openPdf } from '../render/pdf-pages.ts';
import { readPptxFacts } from '../formats/pptx-facts.ts';
import { lexicon, tagWords } from './word-tools.ts';

const PACK = fileURLToPath(new URL('../../../../demo/pack', import.meta.url));
const Manifest = z.array(z.object({ file: z.string(), name: z.string(), themes: z.string(), industry: z.string() }));
const rows = Manifest.parse(parse(readFileSync(join(PACK, 'manifest.csv')), { columns: true, bom: true })).filter(
  ({ file }) => file.endsWith('.pptx'),
);

type Deck = { file: string; name: string; themes: string[]; industry: string; texts: string[]; headings: string[] };
let decks: Deck[] = [];
let folder = '';
const likeness = (texts: string[]): VersionFacts => ({
  ...fingerprintOf(texts),
  cover: null,
  pageCount: texts.length,
  title: '',
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-real-decks-'));
  decks = await Promise.all(
    rows.map(async ({ file, name, themes, industry }) => {
      const { slides } = await readPptxFacts(join(PACK, file));
      return {
        file,
        name,
        themes: themes.split(';'),
        industry,
        texts: slides.map((one) => one.text),
        headings: slides.map((one) => one.title),
      };
    }),
  );
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** How many of the proposals are right, and how many of the labels that people chose are proposed. */
function measure(nameOf: (deck: Deck) => string) {
  const themes = { said: 0, right: 0, known: 0 };
  const industries = { said: 0, right: 0, known: 0 };
  for (const deck of decks) {
    const text = { name: nameOf(deck), headings: deck.headings, pages: withoutRunningLines(deck.texts) };
    const proposed = proposeThemes(scoreLabels(text, lexicon(), 'theme', tagWords)).map(({ name }) => name);
    themes.known += deck.themes.length;
    themes.said += proposed.length;
    themes.right += proposed.filter((name) => deck.themes.includes(name)).length;
    const industry = proposeIndustry(scoreLabels(text, lexicon(), 'industry', tagWords));
    industries.known++;
    if (!industry) continue;
    industries.said++;
    if (industry.name === deck.industry) industries.right++;
  }
  const shares = ({ said, right, known }: typeof themes) => ({ precision: right / said, recall: right / known });
  return { themes: shares(themes), industries: shares(industries) };
}

it.each([
  ['under its name', (deck: Deck) => deck.name],
  [
    'under what its file and its first page call it',
    ({ file, headings }: Deck) =>
      chooseTitle({ fileName: basename(file), cover: [], firstPage: headings[0] ?? '', core: '' }).title,
  ],
])('proposes themes and industries as people chose them: a deck %s', (_how, nameOf) => {
  const { themes, industries } = measure(nameOf);
  expect(themes.precision).toBeGreaterThan(0.83);
  expect(industries.precision).toBeGreaterThan(0.92);
  // Silence is no answer: most decks get one.
  expect(themes.recall).toBeGreaterThan(0.44);
  expect(industries.recall).toBeGreaterThan(0.83);
});

it('takes no two decks of one template for versions', () => {
  const known = decks
    .map((deck) => ({ ...deck, likeness: likeness(deck.texts) }))
    .filter((deck) => deck.likeness.shingleCount >= MIN_SHINGLES);
  const wrong = known.flatMap((one, index) =>
    known
      .slice(index + 1)
      .flatMap((other) => (isVersionOf(one.likeness, other.likeness) ? [`${one.file} ${other.file}`] : [])),
  );
  expect(wrong).toEqual([]);
});

describe.runIf(findConverter() !== null)('a copy with one slide changed, exported as PDF', () => {
  const SAMPLE = 5;
  it('is a version of its deck', async () => {
    const chosen = decks.filter((_, index) => index % Math.ceil(decks.length / SAMPLE) === 0);
    const edited = await Promise.all(
      chosen.map(async ({ file }, index) => {
        const entries = unzipSync(await readFile(join(PACK, file)));
        const slide = Buffer.from(entries['ppt/slides/slide4.xml'] ?? []).toString();
        expect(slide).toContain('<a:t>');
        let line = 0;
        const changed = slide.replace(/<a:t>[^<]*<\/a:t>/g, () => `<a:t>换过的第${++line}句话，说的是另一件事</a:t>`);
        entries['ppt/slides/slide4.xml'] = Buffer.from(changed);
        const path = join(folder, `edited-${index}.pptx`);
        await writeFile(path, zipSync(entries));
        return { path, fileType: 'pptx' as const };
      }),
    );
    const pdfs = await convertManyToPdf({ decks: edited, workDir: folder });
    for (const [index, deck] of chosen.entries()) {
      const pdf = await openPdf(await readFile(pdfs[index] ?? ''));
      const texts = Array.from({ length: pdf.getPageCount() }, (_, page) => cleanText(pdf.getPage(page).getText()));
      expect(texts.join('').replace(/\s/g, '')).toContain('换过的第1句话');
      expect(isVersionOf(likeness(deck.texts), likeness(texts))?.by, deck.file).toBe('text');
    }
  }, 180_000);
});
