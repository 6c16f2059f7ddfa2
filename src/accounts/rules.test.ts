import { describe, expect, it, test } from 'vitest';
import { addressGroup } from '../protocol/address-group.ts';
import {
  SMS_LIMITS,
  browserName,
  cleanChannel,
  cleanCode,
  cleanPhone,
  decodePassword,
  encodePassword,
  isMemberPassword,
  isNewPassword,
  isPhone,
  isUsername,
  maskPhone,
  normalizeUsername,
  placeOf,
  smsWait,
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

it.each([
  ['abcd1234', true],
  ['Abcd-1234!', true],
  ['abcdefgh', false],
  ['12345678', false],
  ['abc1234', false],
  [`a1${'x'.repeat(18)}`, true],
  [`a1${'x'.repeat(19)}`, false],
  ['abcd 1234', false],
  ['密码abcd1234', false],
])('a member’s password %s: %s', (password, isGood) => {
  expect(isMemberPassword(password)).toBe(isGood);
});

describe('smsWait', () => {
  const NOW = 1_800_000_000_000;
  const ago = (...seconds: number[]) => seconds.map((each) => NOW - each * 1000);
  it.each([
    ['the first', [], 0],
    ['one just now', [0], 60],
    ['one 59 s ago', [59], 1],
    ['one a minute ago', [60], 0],
    ['five in the hour, the oldest 50 minutes ago', [100, 400, 900, 1_800, 3_000], 600],
    ['five, one of them over an hour ago', [100, 400, 900, 1_800, 3_600], 0],
    [
      'ten in a day, in no order',
      [80_000, 8_000, 9_000, 10_000, 11_000, 12_000, 13_000, 14_000, 15_000, 16_000],
      6_400,
    ],
  ])('to a phone: %s', (_name, sent, wait) => {
    expect(smsWait(ago(...sent), SMS_LIMITS.phone, NOW)).toBe(wait);
  });
  it('from an address: twenty an hour', () => {
    const twenty = ago(...Array.from({ length: 20 }, (_, at) => at * 10));
    expect(smsWait(twenty, SMS_LIMITS.address, NOW)).toBe(3_600 - 190);
    expect(smsWait(twenty.slice(1), SMS_LIMITS.address, NOW)).toBe(0);
  });
});

it.each([
  ['203.0.113.7', '203.0.113.7', '203.0.*.*'],
  ['127.0.0.1', '127.0.0.1', '本机'],
  ['::1', '0:0:0:0', '本机'],
  ['192.168.1.20', '192.168.1.20', '内网'],
  ['172.20.0.3', '172.20.0.3', '内网'],
  ['172.32.0.3', '172.32.0.3', '172.32.*.*'],
  ['2001:DB8:1:2::9', '2001:db8:1:2', '2001:db8:*'],
  ['2001:0db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:*'],
  ['2001:db8::9', '2001:db8:0:0', '2001:db8:*'],
  ['fe80::1', 'fe80:0:0:0', '内网'],
  ['', '', '未知'],
])('the address %s counts as %s and is shown as %s', (ip, group, place) => {
  expect(addressGroup(ip)).toBe(group);
  expect(placeOf(ip)).toBe(place);
});

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome · Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge · Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604', 'Safari · iOS'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit Chrome/130 Mobile Safari MicroMessenger/8.0', '微信 · Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · macOS'],
  ['curl/8', '未知浏览器'],
  ['', '未知浏览器'],
])('%s is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

it.each([
  ['web', 'web'],
  ['poster-7.a:b', 'poster-7.a:b'],
  ['', 'web'],
  ['a b', 'web'],
  ['x'.repeat(33), 'web'],
])('channel %j counts as %s', (channel, kept) => {
  expect(cleanChannel(channel)).toBe(kept);
});

test.each([
  ['13800138000', '13800138000'],
  [' 138 0013-8000 ', '13800138000'],
  ['+86 138 0013 8000', '13800138000'],
  ['008613800138000', '13800138000'],
  ['8613800138000', '13800138000'],
  ['\u202d138 0013 8000\u202c', '13800138000'],
  ['138\u200b0013\u200b8000', '13800138000'],
  ['138–0013—8000', '13800138000'],
  ['（＋８６）１３８００１３８０００', '13800138000'],
  // Not a number of the country: left as it is, to be refused.
  ['+1 650 253 0000', '+16502530000'],
  ['861380013', '861380013'],
])('%s', (text, phone) => {
  expect(cleanPhone(text)).toBe(phone);
});

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['\u202d123–456\u202c', '123456'],
  ['１２３４５６', '123456'],
  ['1234567', '123456'],
  ['12a', '12'],
])('the code %j is %s', (text, code) => {
  expect(cleanCode(text)).toBe(code);
});

test.each(['ceku2026', '密码🙂', ''])('%s survives as base64 of UTF-8', (password) => {
  expect(Buffer.from(encodePassword(password), 'base64').toString('utf8')).toBe(password);
});
