import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { topicsOf } from './everyday-topics.ts';

const FILE = new URL('word-lists/everyday.txt', import.meta.url);
const lines = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line.includes('~'));
const sentencesOf = (line: string) => (line.split('~')[0] ?? '').trim().split('、');
const wordsOf = (line: string) =>
  (line.split('~')[1] ?? '')
    .trim()
    .split(/ [=+] /)
    .filter(Boolean);

it.each([
  ['关了灯躺着数天上的亮点', '观星'],
  ['教有糖尿病的人怎么吃饭、互相打气', '患者'],
  ['天黑了大家一起在马路上跑步，身上会发光', '夜跑'],
  ['两家不相干的店凑一块儿出个新东西', '跨界联名'],
  ['給沒人要的貓狗找個家', '领养'],
])('knows what a sentence is about that is none of those it learned from: %s', async (sentence, word) => {
  expect(lines.flatMap(sentencesOf)).not.toContain(sentence);
  expect((await topicsOf(sentence)).flatMap(({ words }) => words)).toContain(word);
});

it('names two topics of a sentence that is about both, the closer one first', async () => {
  const topics = await topicsOf('两个牌子一起出一样东西');
  expect(topics.length).toBe(2);
  expect(topics[0]?.closeness).toBeGreaterThanOrEqual(topics[1]?.closeness ?? 1);
});

it('knows the industry that some topics are about as well', async () => {
  const [first] = await topicsOf('让路过的人停下来尝一口');
  expect(first?.words).toContain('快闪路演');
  expect(first?.industryWords).toContain('食品饮料');
  expect((await topicsOf('关了灯躺着数天上的亮点'))[0]?.industryWords).toEqual([]);
});

it('names none for short words and for what nobody says', async () => {
  for (const query of ['', '开业', '骑车', 'riding a bike', '！！！？？？', '饕餮貔貅魑魅'])
    expect(await topicsOf(query), query).toEqual([]);
});

it('knows sentences about nothing that a library of plans has, which stand for no word', async () => {
  for (const query of [
    '我家孩子发烧三十九度吃什么药好',
    '租房子押金不给退',
    '程序一运行就报错怎么排查',
    '楼上漏水怎么要赔偿',
  ])
    expect((await topicsOf(query))[0]?.words, query).toEqual([]);
});

it('takes any text, and a long one in a short time', async () => {
  const started = performance.now();
  await topicsOf('一帮人蹬着车逛城里'.repeat(1_000));
  await topicsOf('\u0000\ud800👩‍👩‍👧 ~ = 、');
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('learns from sentences that each stand once and do without the words of their topic', () => {
  const all = lines.flatMap(sentencesOf);
  expect(new Set(all).size).toBe(all.length);
  expect(all).not.toContain('');
  for (const line of lines) {
    const own = sentencesOf(line).filter((sentence) => wordsOf(line).some((word) => sentence.includes(word)));
    expect(own, wordsOf(line).join()).toEqual([]);
  }
});
