import { expect, it } from 'vitest';
import { nearOfPhrase, phrasesIn } from './phrases.ts';
import { cutWords } from './server/words/cut-words.ts';

const taken = (query: string) => phrasesIn(query, cutWords);

it.each([
  ['给没人要的猫狗找个家', '没人要的猫狗', '领养'],
  ['对着手机镜头卖帽子', '对着手机镜头卖', '直播带货'],
  ['對着手機賣帽子', '对着手机卖', '直播带货'],
  ['带着狗逛的地方', '狗', '宠物'],
  ['帮乡下人把大米青菜卖给城里人', '乡下人把大米青菜卖给', '农产品'],
])('%s says in %s what the trade calls %s', (query, phrase, word) => {
  expect(taken(query)).toEqual([phrase]);
  expect(nearOfPhrase(phrase)).toContain(word);
});

it.each([
  ['手机店怎么多卖货', 'the cue is 对着手机, not 手机'],
  ['卖给城里人的大米', 'the cues stand in another order'],
  ['旧物市集的换季陈列与抵达路线', '换 is a part of 换季'],
  ['没人要来的那天我们去看了一只虎', 'the cues stand too far apart'],
  ['猫头鹰与热狗', 'a single character counts where it is a word of its own'],
])('%s is no phrase: %s', (query) => expect(taken(query)).toEqual([]));

it('finds the words of the trade for a phrase alone', () => {
  expect(nearOfPhrase('没人要的猫狗找个家')).toEqual([]);
  expect(nearOfPhrase('猫狗')).toEqual([]);
  expect(nearOfPhrase('')).toEqual([]);
});
