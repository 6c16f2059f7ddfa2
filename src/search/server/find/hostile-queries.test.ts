import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../demo/random.ts';
import { HOSTILE } from '../../../../tests/hostile-queries.ts';
import { ODD_TEXTS, addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { CODE } from '../../../protocol/codes.ts';
import { searchDocuments, suggestWords } from '../../contract.ts';
import { queryWords } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';

describe.each([{ hasEngine: true }, { hasEngine: false }])('with an engine: $hasEngine', ({ hasEngine }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await addPublished(app, {
      name: '中秋灯会方案 <b>& more</b>',
      keyword: '中秋,灯会',
      texts: ['封面', '中秋灯会的预算'],
    });
    await app.refreshSearch();
  });
  afterAll(() => app.close());

  it.each([...HOSTILE, ...ODD_TEXTS.map((text, at) => ({ what: `odd text ${at}`, text }))])(
    'answers $what, in search and suggestions',
    async ({ text }) => {
      for (const exact of [0, 1]) {
        const found = await app.call(searchDocuments, { search_key: text, exact });
        expect(found.code).toBe(CODE.ok);
        for (const { name } of found.data?.item_list ?? [])
          expect(name.replace(/<\/?em>|&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<>&"']/);
      }
      expect((await app.call(suggestWords, { prefix: text })).code).toBe(CODE.ok);
    },
  );

  it('answers random text of every script, and what is no text at all', async () => {
    const random = createRandom(77);
    for (let round = 0; round < 200; round++) {
      const text = String.fromCodePoint(
        ...Array.from({ length: 1 + random.int(60) }, () => {
          const range = random.pick([0x80, 0x2ff, 0x3040, 0x9fff, 0xffff, 0x10ffff]);
          return random.int(range);
        }),
      );
      expect((await app.call(searchDocuments, { search_key: text })).code).toBe(CODE.ok);
    }
    for (const odd of [null, 5, 1e308, [], {}, [['中秋']], true])
      expect((await app.call(searchDocuments, { search_key: odd })).code).toBe(CODE.ok);
  });
});

it('makes few words of each hostile query, so that the query of the engine stays small', () => {
  for (const { text } of HOSTILE) {
    const words = queryWords([...text].slice(0, 50).join(''), cutWords);
    expect(words.length).toBeLessThanOrEqual(50);
    expect(words.flatMap(({ forms }) => forms.flatMap(({ lexemes }) => lexemes)).length).toBeLessThanOrEqual(400);
  }
});
