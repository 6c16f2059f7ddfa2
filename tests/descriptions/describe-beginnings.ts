import { proposeIndustry, proposeThemes, scoreLabels } from '../../src/ingest/about/propose-labels.ts';
import { proposeType } from '../../src/ingest/about/propose-type.ts';
import { withoutRunningLines } from '../../src/ingest/about/weigh-words.ts';
import { isTitleLine, outlineFromText } from '../../src/ingest/page-text.ts';
import { lexicon, tagWords } from '../../src/ingest/server/about/word-tools.ts';
import { chooseTitle } from '../../src/ingest/titles.ts';
import type { Answer, Beginning } from './beginnings.ts';

/** Describes the beginning of a file as ingest describes a file that nobody has named. */
export function describeBeginning({ file, core, cover, pages }: Beginning): Answer {
  const head = cover.filter(([line]) => isTitleLine(line));
  const outline = outlineFromText(pages, [{ page: 1, wide: [], head }]);
  const firstPage = outline.find(({ page }) => page === 1)?.title ?? '';
  const { title } = chooseTitle({ fileName: file, cover: head, firstPage, core });
  const text = { name: title, headings: outline.map((entry) => entry.title), pages: withoutRunningLines(pages) };
  return {
    title,
    themes: proposeThemes(scoreLabels(text, lexicon(), 'theme', tagWords)).map(({ name }) => name),
    industry: proposeIndustry(scoreLabels(text, lexicon(), 'industry', tagWords))?.name ?? '',
    type: proposeType(title)?.name ?? '',
  };
}
