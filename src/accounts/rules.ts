import { addressGroup } from '../protocol/address-group.ts';
import { CODE } from '../protocol/codes.ts';
import { failed, invalid, Refusal } from '../protocol/envelope.ts';

/** Wrong passwords in a row before an account is locked, and for how long. */
export const MAX_LOGIN_FAILURES = 5;
export const LOCK_SECONDS = 15 * 60;

/** What a code may be asked for (C-66); `cancel` is the deletion of the account. */
export type CodePurpose = 'login' | 'bind' | 'reset' | 'cancel';

/** Messages to one phone, and from one address: at most `count` in `seconds` (reliability: SMS). */
export const SMS_LIMITS = {
  phone: [
    { count: 1, seconds: 60 },
    { count: 5, seconds: 3_600 },
    { count: 10, seconds: 86_400 },
  ],
  address: [{ count: 20, seconds: 3_600 }],
} as const;
export const SMS_CODE_TRIES = 5;

const USERNAME = /^[a-z0-9_.-]{3,32}$/;
const PHONE = /^1[3-9][0-9]{9}$/;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** User names ignore case and surrounding space: `Demo ` and `demo` are one account. */
export const normalizeUsername = (text: string) => text.trim().toLowerCase();

export const isUsername = (text: string) => USERNAME.test(text);

export const isPhone = (text: string) => PHONE.test(text);

export const isSmsCode = (text: string) => /^\d{6}$/.test(text);

/** C-70, what members choose: 8–20 characters without spaces, a letter and a digit among them. */
export const isMemberPassword = (text: string) => /^(?=.*[A-Za-z])(?=.*\d)[\x21-\x7e]{8,20}$/.test(text);

/** C-70: what a login accepts as a password at all. */
export const isLoginPassword = (text: string) => text !== '' && [...text].length <= MAX_PASSWORD;

/** What an operator may set: 8–64 characters of any script, so that a phrase is welcome; 64 is what a login accepts. */
export const isNewPassword = (text: string) => {
  const length = [...text].length;
  return length >= MIN_PASSWORD && length <= MAX_PASSWORD && !/\p{Cc}/u.test(text);
};

/** C-70: 2–20 characters, none of them a control character or an angle bracket. */
export const isNickname = (text: string) => {
  const length = [...text].length;
  return length >= 2 && length <= 20 && !/[\p{Cc}\p{Cf}<>]/u.test(text);
};

/**
 * The password inside the base64 of its UTF-8 bytes (C-65), or null when it is not that, empty, or over 64 characters:
 * no account can have such a password.
 */
export function decodePassword(text: string): string | null {
  if (text === '' || text.length > MAX_PASSWORD * 6 || !BASE64.test(text)) return null;
  try {
    const password = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'base64'));
    return [...password].length <= MAX_PASSWORD ? password : null;
  } catch {
    return null;
  }
}

/** `138****1234`; "" when there is none (C-60). */
export const maskPhone = (phone: string | null) => (phone === null ? '' : `${phone.slice(0, 3)}****${phone.slice(-4)}`);

export const wrongCode = () => new Refusal(CODE.wrongCode, '验证码错误或已过期');
export const humanCheckNeeded = () => new Refusal(CODE.humanCheck, '请完成安全验证');
export const wrongPhoneOrPassword = () => failed('手机号或密码错误');
export const unknownPhone = () => failed('该手机号未注册');
export const wrongPassword = () => failed('密码错误');
export const commonPassword = () => invalid('这个密码太常见，容易被猜到，请换一个', 'pwd');
export const bannedUser = () => failed('该账号已被停用，请联系客服');

/** Of an account that nobody named: 策库用户 and the last digits of a number that tells nothing. */
export const defaultNickname = (digits: string) => `策库用户${digits}`;

/**
 * Seconds until one more message may go, 0 for now. `sent` are the epoch milliseconds of those that count, in any order;
 * `limits` how many may lie in each window that ends now.
 */
export function smsWait(sent: number[], limits: readonly { count: number; seconds: number }[], now: number): number {
  const newestFirst = sent.toSorted((one, other) => other - one);
  const waits = limits.map(({ count, seconds }) => {
    // The one that has to leave the window before another fits in.
    const leaving = newestFirst[count - 1];
    return leaving === undefined ? 0 : Math.ceil((leaving + seconds * 1000 - now) / 1000);
  });
  return Math.max(0, ...waits);
}

const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger/i, '微信'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/QQBrowser/i, 'QQ浏览器'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/HarmonyOS|OpenHarmony/i, '鸿蒙'],
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Android/, 'Android'],
  [/Linux/, 'Linux'],
];

/** Where somebody came from (C-62); `web` for anything odd. */
export const channelOf = (text: string) => (/^[A-Za-z0-9_.:-]{1,32}$/.test(text) ? text : 'web');

/** `Chrome · Windows`, as far as the user agent tells. */
export function browserName(userAgent: string): string {
  const nameIn = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(' · ') : '未知浏览器';
}

/** Where an address is, as far as it tells by itself: this machine, this network, or its first half. */
export function placeOf(ip: string): string {
  if (ip === '') return '未知';
  if (/^127\.|^::1$/.test(ip)) return '本机';
  if (/^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^f[cd]|^fe80/i.test(ip)) return '内网';
  if (ip.includes(':')) return `${addressGroup(ip).split(':').slice(0, 2).join(':')}:*`;
  return `${ip.split('.').slice(0, 2).join('.')}.*.*`;
}
