import { FESTIVALS, FORMATS } from '../../demo/name-words.ts';
import { documentNames } from '../../demo/names.ts';
import { createRandom } from '../../demo/random.ts';
import { INDUSTRIES, THEMES } from '../../src/library/taxonomy.ts';
import type { Filter } from '../../src/search/engine/match/query.ts';
import { HOT_WORDS } from '../../src/search/limits.ts';
import { cutWords } from '../../src/search/server/words/cut-words.ts';
import { queryWords, type QueryWord } from '../../src/search/words.ts';

/** One query with what the tokenizer makes of it: every engine is asked for the same tokens. */
export type Question = {
  kind: Kind;
  text: string;
  words: QueryWord[];
  filter: Pick<Filter, 'fileTypes' | 'themeId' | 'since'>;
};
export type Kind = (typeof KINDS)[number];
export const KINDS = ['hot', 'festival', 'brand', 'two words', 'three words', 'filtered'] as const;

const SINCE = Date.UTC(2025, 0, 1);

/** 200 of them, always the same: words of the field as people type them, several without a space between. */
export function questions(): Question[] {
  const random = createRandom(5);
  const nextName = documentNames(9);
  const festivals = FESTIVALS.slice(0, 20);
  const formats = [
    '策划',
    '营销',
    '直播',
    '推广',
    '发布会',
    '开业',
    '年会',
    '快闪',
    '招商',
    FORMATS[0]?.name ?? '方案',
  ];
  const industries = INDUSTRIES.slice(0, 20);
  const brand = (): string => nextName().organization || brand();
  const pick = (): Filter => {
    const draw = random.next();
    if (draw < 0.4) return { fileTypes: draw < 0.25 ? ['pptx', 'ppt'] : ['pdf'] };
    return draw < 0.7 ? { themeId: 1 + random.int(Math.min(8, THEMES.length)) } : { since: SINCE };
  };
  const asked: [Kind, string, Filter?][] = [
    ...[...HOT_WORDS, ...INDUSTRIES].slice(0, 40).map((word): [Kind, string] => ['hot', word]),
    ...festivals.map((word): [Kind, string] => ['festival', word]),
    ...times(30, (): [Kind, string] => ['brand', brand()]),
    ...times(40, (): [Kind, string] => ['two words', random.pick(industries) + random.pick(festivals)]),
    ...times(30, (): [Kind, string] => [
      'three words',
      random.pick(industries) + random.pick(festivals.slice(0, 10)) + random.pick(formats),
    ]),
    ...times(40, (index): [Kind, string, Filter] => {
      const second = index % 2 === 0 ? '' : random.pick(festivals);
      return ['filtered', random.pick(industries) + second, pick()];
    }),
  ];
  return asked.map(([kind, text, filter]) => ({ kind, text, words: queryWords(text, cutWords), filter: filter ?? {} }));
}

/** Every industry with every festival and format, some thousand texts: no memory of answers helps with them. */
export function manyTexts(): string[] {
  const all = INDUSTRIES.flatMap((industry) =>
    FESTIVALS.slice(0, 20).flatMap((festival) =>
      ['', '策划', '营销', '推广'].map((word) => industry + festival + word),
    ),
  );
  const random = createRandom(6);
  return all
    .map((text) => ({ text, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text);
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
