import { documentNames } from '../../demo/names.ts';
import { createRandom } from '../../demo/random.ts';
import type { FileType } from '../../src/library/file-types.ts';
import { recommendScore } from '../../src/library/rules.ts';
import { INDUSTRIES, THEMES } from '../../src/library/taxonomy.ts';
import type { SourceDocument } from '../../src/search/engine/format/document.ts';
import { sourceDocument } from '../../tests/source-document.ts';
import { PAGES, type PageTexts, pageTexts } from './page-texts.ts';

const SEED = 20_261_120;
const FILE_TYPES: FileType[] = ['pptx', 'pptx', 'pptx', 'ppt', 'pdf'];

let texts: PageTexts | null = null;
/** Loading the vocabulary takes half a second, so only whole decks load it. */
export const deckTexts = (): PageTexts => (texts ??= pageTexts());

/**
 * Yields the same documents in every process, ids 1 to `total`. `isWhole`: with the text of their pages. `isWanted`: only these ids, for a
 * process that makes a part of the corpus.
 */
export function* corpus(
  total: number,
  isWhole: boolean,
  isWanted: (id: number) => boolean = () => true,
): Generator<SourceDocument> {
  const nextName = documentNames(SEED);
  const random = createRandom(SEED + 1);
  for (let id = 1; id <= total; id++) {
    const fact = nextName();
    const createdAt = fact.createdAt * 1_000;
    const downloads = Math.floor(2 / (random.next() + 1e-4) ** 0.8);
    const fileType = random.pick(FILE_TYPES);
    const pageCount = isWhole ? PAGES : 10 + random.int(90);
    if (!isWanted(id)) continue;
    yield sourceDocument({
      id,
      name: fact.name,
      keyword: fact.keyword.join(','),
      organization: fact.organization,
      industry: fact.industry,
      themes: fact.themes,
      texts: isWhole ? deckTexts().textsOf(id) : [],
      industryId: INDUSTRIES.indexOf(fact.industry) + 1,
      themeIds: fact.themes.map((theme) => THEMES.indexOf(theme) + 1),
      fileType,
      pageCount,
      isFree: fact.price === 0,
      popularity: downloads,
      createdAt,
      recommendScore: recommendScore(new Date(createdAt), downloads),
    });
  }
}
