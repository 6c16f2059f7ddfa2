import { FESTIVALS, FORMATS } from '../../demo/name-words.ts';
import { documentNames } from '../../demo/names.ts';
import { createRandom } from '../../demo/random.ts';
import { INDUSTRIES, THEMES } from '../../src/library/taxonomy.ts';
import type { Filter } from '../../src/search/engine/match/query.ts';
import { HOT_WORDS } from '../../tests/hot-words.ts';
import { cutWords } from '../../src/search/server/words/cut-words.ts';
import { requiredWords } from '../../src/search/generic-words.ts';
import type { QueryWord } from '../../src/search/words.ts';
import { deckTexts } from './corpus.ts';

/** One query with what the tokenizer makes of it: every engine is asked for the same tokens. */
export type Question = {
  kind: Kind;
  text: string;
  words: QueryWord[];
  filter: Pick<Filter, 'fileTypes' | 'themeId' | 'since'>;
};
export type Kind = (typeof KINDS)[number];
export const KINDS = [
  'hot',
  'festival',
  'brand',
  'two words',
  'three words',
  'filtered',
  'page words',
  'name and page',
  'sentence',
  'changed',
] as const;

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
  return asked.map(([kind, text, filter]) => questionOf(kind, text, filter));
}

/** Cuts a query as the site does. */
export const questionOf = (kind: Kind, text: string, filter: Question['filter'] = {}): Question => ({
  kind,
  text,
  words: requiredWords(text, cutWords),
  filter,
});

/** 180 more for whole decks of a corpus of this size: words of pages, a word of a name beside some of its pages, and a planner's sentences. */
export function deckQuestions(documents: number): Question[] {
  const random = createRandom(11);
  const festivals = FESTIVALS.slice(0, 20);
  /** Different words that one deck is about. */
  const words = (count: number) => [...new Set(deckTexts().subjectOf(1 + random.int(documents)))].slice(0, count);
  const sentence = () => {
    const [first = '', second = '', third = ''] = words(3);
    const [industry, festival] = [random.pick(INDUSTRIES), random.pick(festivals)];
    return random.pick([
      `帮我找一个${industry}客户的${festival}活动方案，要有${first}和${second}，最好带${third}`,
      `给新开业的${industry}门店做一个三天的${festival}活动，主题是${first}，预算50万`,
      `我们是做${industry}的，想看看${first}、${second}方面的案例，怎么做${third}`,
      `${festival}想做一个${first}主题的快闪，有没有${industry}${second}的参考`,
    ]);
  };
  return [
    ...times(60, () => questionOf('page words', words(1 + random.int(3)).join(' '))),
    ...times(60, () => questionOf('name and page', `${random.pick(INDUSTRIES)} ${words(1).join('')}`)),
    ...times(60, () => questionOf('sentence', sentence())),
  ];
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
