import { expect, it } from 'vitest';
import { isNickname } from './nicknames.ts';

it.each([
  ['小猫', true],
  ['a', false],
  ['二十个字二十个字二十个字二十个字二十个字', true],
  ['二十一个字一个字一个字一个字一个字一个字一', false],
  ['<b>猫</b>', false],
  ['猫\u202e猫', false],
  ['\u3164\u3164', false],
  ['\u2800\u2800猫', false],
  ['\uffa0\u115f\u1160', false],
  ['\ufe0f\ufe0f', false],
  ['\u3000\u3000', false],
  ['猫\u034f猫', false],
  ['猫\u2028猫', false],
  ['猫\u2029猫', false],
  ['猫猫\ud83d', false],
  ['🐱🐱', true],
  ['爸爸👨\u200d👩\u200d👧', true],
  ['🏃🏽\u200d♀\ufe0f跑', true],
  ['猫\u200d猫', false],
  ['👩\u200d猫', false],
  ['\ufe0f\ufe0f', false],
  ['猫\u034f', false],
  ['\u0301\u0301\u0301', false],
  ['e\u0301ric', true],
  ['❤\ufe0f猫', true],
])('nickname %j: %s', (nickname, isGood) => {
  expect(isNickname(nickname)).toBe(isGood);
});
