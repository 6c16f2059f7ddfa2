/**
 * The graded beginnings of files in `beginnings.tsv`, and how well descriptions answer them. The file names, covers and pages are
 * invented after the shapes of real decks.
 *
 * Columns, separated by tabs: file name; title in the file's properties; lines of the cover with their heights in
 * ten-thousandths of the page (`text@height`); the text of the next pages; the title; themes; industry; type.
 * `⏎` separates lines, `¶` pages, `;;` titles that are equally right, `;` labels that are right; a label in brackets is tolerated and not expected;
 * no label, or an empty alternative, says that no label is right.
 */
import { readFileSync } from 'node:fs';
import type { HeadLine } from '../../src/ingest/page-text.ts';

export type Beginning = {
  file: string;
  core: string;
  cover: HeadLine[];
  pages: string[];
  titles: string[];
  themes: Expected;
  industry: Expected;
  type: Expected;
};
type Expected = { wanted: string[]; tolerated: string[]; mayBeNone: boolean };
export type Answer = { title: string; themes: string[]; industry: string; type: string };

export function readBeginnings(): Beginning[] {
  const text = readFileSync(new URL('beginnings.tsv', import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [file = '', core = '', cover = '', pages = '', title = '', themes = '', industry = '', type = ''] =
        line.split('\t');
      const lines = cover.split('⏎').map((each): HeadLine => {
        const at = each.lastIndexOf('@');
        return [each.slice(0, at), Number(each.slice(at + 1))];
      });
      const texts = pages.split('¶').map((page) => page.replaceAll('⏎', '\n'));
      return {
        file,
        core,
        cover: lines,
        pages: [lines.map(([words]) => words).join('\n'), ...texts],
        titles: title.split(';;'),
        themes: expectedOf(themes.split(/;;?/)),
        industry: expectedOf(industry.split(/;;?/)),
        type: expectedOf(type.split(/;;?/)),
      };
    });
}

function expectedOf(names: string[]): Expected {
  const wanted = names.filter((name) => name !== '' && !name.startsWith('('));
  const tolerated = names.filter((name) => name.startsWith('(')).map((name) => name.slice(1, -1));
  return { wanted, tolerated, mayBeNone: wanted.length === 0 || names.includes('') };
}

/** Compares titles without white space, punctuation and case. */
const bare = (title: string) =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

export type Share = { right: number; of: number };
const accepts = ({ wanted, tolerated }: Expected, name: string) => wanted.includes(name) || tolerated.includes(name);

/**
 * Returns how many titles are right and how many repeat another, how many of the proposed labels are right, how many of the beginnings
 * that have a label got one that is right, and what is wrong, a line each.
 */
export function grade(beginnings: readonly Beginning[], answers: readonly Answer[]) {
  const share = (): Share => ({ right: 0, of: 0 });
  const label = () => ({ proposed: share(), found: share() });
  const result = { titles: share(), duplicates: 0, themes: label(), industry: label(), type: label(), wrong: [''] };
  result.wrong = [];
  const seen = new Set<string>();
  for (const [index, beginning] of beginnings.entries()) {
    const answer = answers[index];
    if (!answer) throw new Error('an answer is missing');
    result.titles.of++;
    if (beginning.titles.some((title) => bare(title) === bare(answer.title))) result.titles.right++;
    else result.wrong.push(`title ${beginning.file}: ${answer.title}, not ${beginning.titles[0]}`);
    if (seen.has(bare(answer.title))) {
      result.duplicates++;
      result.wrong.push(`duplicate ${beginning.file}: ${answer.title}`);
    }
    seen.add(bare(answer.title));
    for (const kind of ['themes', 'industry', 'type'] as const) {
      const names = kind === 'themes' ? answer.themes : [answer[kind]].filter(Boolean);
      const expected = beginning[kind];
      result[kind].proposed.of += names.length;
      result[kind].proposed.right += names.filter((name) => accepts(expected, name)).length;
      for (const name of names)
        if (!accepts(expected, name))
          result.wrong.push(`${kind} ${beginning.file}: ${name}, not ${expected.wanted.join()}`);
      if (expected.mayBeNone) continue;
      result[kind].found.of++;
      if (names.some((name) => accepts(expected, name))) result[kind].found.right++;
      else result.wrong.push(`${kind} ${beginning.file}: ${names.join() || 'none'} misses ${expected.wanted.join()}`);
    }
  }
  return result;
}
