import { describe, expect, it } from 'vitest';
import {
  decodePassword,
  isNewPassword,
  isNickname,
  isPhone,
  isUsername,
  maskPhone,
  normalizeUsername,
} from './rules.ts';

const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');

describe('decodePassword', () => {
  it.each([
    ['ascii', base64('demo1234'), 'demo1234'],
    ['chinese', base64('密码123456'), '密码123456'],
    ['emoji', base64('🐱password1'), '🐱password1'],
    ['without its padding', base64('abcd1234').replaceAll('=', ''), 'abcd1234'],
    ['64 characters of three bytes', base64('密'.repeat(64)), '密'.repeat(64)],
    ['nothing', '', null],
    ['not base64', 'demo 1234!', null],
    ['a length no base64 has', 'abcde', null],
    ['bytes that are not UTF-8', base64(new Uint8Array([0xff, 0xfe, 0x80])), null],
    ['65 characters', base64('a'.repeat(65)), null],
    ['a megabyte', 'A'.repeat(1_000_000), null],
  ])('reads %s', (_name, text, password) => {
    expect(decodePassword(text)).toBe(password);
  });
});

it.each([
  ['abcd1234', true],
  ['a long phrase of words', true],
  ['天干物燥小心火烛', true],
  ['abc1234', false],
  ['a'.repeat(65), false],
  ['abcd\n1234', false],
])('new password %s: %s', (password, isGood) => {
  expect(isNewPassword(password)).toBe(isGood);
});

it.each([
  ['小猫', true],
  ['a', false],
  ['二十个字二十个字二十个字二十个字二十个字', true],
  ['二十一个字一个字一个字一个字一个字一个字一', false],
  ['<b>猫</b>', false],
  ['猫\u202e猫', false],
])('nickname %j: %s', (nickname, isGood) => {
  expect(isNickname(nickname)).toBe(isGood);
});

it('knows user names and phones', () => {
  expect(normalizeUsername(' Demo ')).toBe('demo');
  expect(['demo', 'a.b-c_1', 'ab', 'Demo', '猫猫猫', 'x'.repeat(33)].map(isUsername)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(['13800001234', '12800001234', '1380000123', '+8613800001234'].map(isPhone)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(maskPhone('13800001234')).toBe('138****1234');
  expect(maskPhone(null)).toBe('');
});
