import { expect, it } from 'vitest';
import { isDayOfPeople } from '../../event-kinds.ts';
import { queryWords } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { splitLongWords } from './split-words.ts';

/** Splits the words of a query of which no deck holds any. `held`: the texts that decks hold. */
function split(query: string, held: string[] = []): Promise<string> {
  const words = queryWords(query, cutWords);
  return splitLongWords(
    query,
    words,
    words.map(() => false),
    async (text) => held.includes(text),
    () => false,
  );
}

it('splits characters that no dictionary knows in two parts that decks hold', async () => {
  expect(await split('昙釉窑砀', ['昙釉', '窑砀'])).toBe('昙釉 窑砀');
  // Two words of the thesaurus are two words already.
  expect(await split('铺货动销', ['铺货', '动销'])).toBe('');
});

it('asks for the word of the thesaurus that ends a word, and not for one that begins it', async () => {
  expect(await split('卖房子')).not.toContain('卖');
  expect(await split('滑雪板')).not.toBe('滑雪');
});

it('asks for the decks of few parts, however long the text', async () => {
  let asked = 0;
  const text = '龘靐齉龖'.repeat(12);
  await splitLongWords(
    text,
    queryWords(text, cutWords),
    [false],
    async () => asked++ < 0,
    () => false,
  );
  expect(asked).toBeLessThan(30);
});

it('does not take a day of people for these people', async () => {
  for (const day of ['护士节', '父亲节', '教师节']) expect(isDayOfPeople(day)).toBe(true);
  expect(isDayOfPeople('冰雪节')).toBe(false);
  expect(await split('父亲节')).not.toBe('父亲');
});
