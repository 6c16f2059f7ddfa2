import { addressGroup } from '../protocol/address-group.ts';
import { CODE } from '../protocol/codes.ts';
import { Refusal, failed, invalid, waitText } from '../protocol/envelope.ts';

/**
 * Wrong passwords in a row before an account is locked: from one address, and from all addresses. The first limit stops
 * a guesser and spares the owner at another address; the second stops guessers who share the work among many addresses.
 */
export const MAX_LOGIN_FAILURES = 5;
export const MAX_LOGIN_FAILURES_EVERYWHERE = 50;
/** The duration of a lock. */
export const LOCK_SECONDS = 15 * 60;

/**
 * The purposes of a code (C-66). A `bind` code goes to the phone that is to be bound; `rebind`, `cancel` (deletion) and
 * `export` codes go to the bound phone.
 */
export type CodePurpose = 'login' | 'bind' | 'rebind' | 'reset' | 'cancel' | 'export';

/** Purposes that accept only a code of the same purpose, because an attacker with a stolen session would use these two. */
export const STRICT_PURPOSES: ReadonlySet<CodePurpose> = new Set(['rebind', 'export']);

/** How long a login or a scan counts as proof of the owner. */
export const FRESH_PROOF_SECONDS = 600;

/**
 * The limits of messages to one phone, from one address, and from one IPv6 /48, which is the size that a hosting
 * provider rents out: at most `count` in `seconds`. The limit of the whole site is the setting SMS_PER_HOUR.
 */
export const SMS_LIMITS = {
  phone: [
    { count: 1, seconds: 60 },
    { count: 5, seconds: 3_600 },
    { count: 10, seconds: 86_400 },
  ],
  address: [{ count: 20, seconds: 3_600 }],
  network: [{ count: 60, seconds: 3_600 }],
} as const;
export const SMS_SITE_SECONDS = 3_600;
export const SMS_CODE_TRIES = 5;

const USERNAME = /^[a-z0-9_.-]{3,32}$/;
const PHONE = /^1[3-9][0-9]{9}$/;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Normalizes a user name: `Demo ` and `demo` are one account. */
export const normalizeUsername = (text: string) => text.trim().toLowerCase();

export const isUsername = (text: string) => USERNAME.test(text);

export const isPhone = (text: string) => PHONE.test(text);

export const isSmsCode = (text: string) => /^\d{6}$/.test(text);

/**
 * Returns whether a member may choose this password (C-70): 8–20 characters without spaces, a letter and a digit among
 * them.
 */
export const isMemberPassword = (text: string) => /^(?=.*[A-Za-z])(?=.*\d)[\x21-\x7e]{8,20}$/.test(text);

/** Returns whether a login accepts this text as a password at all (C-70). */
export const isLoginPassword = (text: string) => text !== '' && [...text].length <= MAX_PASSWORD;

/**
 * Returns whether an operator may set this password: 8–64 characters of any script, so that a phrase is possible; 64 is
 * what a login accepts.
 */
export const isNewPassword = (text: string) => {
  const length = [...text].length;
  return length >= MIN_PASSWORD && length <= MAX_PASSWORD && !/\p{Cc}/u.test(text);
};

/**
 * Returns the password inside the base64 of its UTF-8 bytes (C-65), or null when the text is no such base64, is empty,
 * or has over 64 characters: no account can have such a password.
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

/** Returns a phone as `138****1234`; "" when there is none (C-60). */
export const maskPhone = (phone: string | null) => (phone === null ? '' : `${phone.slice(0, 3)}****${phone.slice(-4)}`);

/** `field` names the field of the code where a form has two. */
export const wrongCode = (field?: string) =>
  new Refusal(CODE.wrongCode, field ? '原手机号的验证码错误或已过期' : '验证码错误或已过期', field ? { field } : null);
/** The refusal of too many phone checks. Code 43 says what helps, because there is no puzzle to solve. */
export const tooManyPhoneChecks = (retryAfterSeconds: number) =>
  new Refusal(CODE.humanCheck, `查询次数过多，请 ${waitText(retryAfterSeconds)}后再试，或直接用短信验证码登录`, {
    retry_after: retryAfterSeconds,
  });
/** The refusal that asks for a scan by the WeChat of the account. */
export const scanNeeded = () =>
  new Refusal(CODE.humanCheck, '为了您的账号安全，请先用微信扫码，确认是您本人', { proof: 'scan' });
/** The refusal for a person without phone, password and WeChat, who can only prove themselves by a new login. */
export const freshLoginNeeded = () =>
  new Refusal(CODE.humanCheck, '为了您的账号安全，请退出后重新登录，再进行此操作', { proof: 'login' });
export const smsQuotaUsed = (retryAfterSeconds: number) =>
  new Refusal(
    CODE.tooFrequent,
    `短信发送量已达上限，请改用微信扫码或密码登录，或 ${waitText(retryAfterSeconds)}后再试`,
    { retry_after: retryAfterSeconds },
  );
export const scanQuotaUsed = (retryAfterSeconds: number) =>
  new Refusal(CODE.tooFrequent, `扫码登录的人太多，请改用手机号登录，或 ${waitText(retryAfterSeconds)}后再试`, {
    retry_after: retryAfterSeconds,
  });
export const wrongPhoneOrPassword = () => failed('手机号或密码错误');
export const unknownPhone = () => failed('该手机号未注册');
export const wrongPassword = () => failed('密码错误');
export const commonPassword = () => invalid('这个密码太常见，容易被猜到，请换一个', 'pwd');
export const bannedUser = () => failed('该账号已被停用，请联系客服');
export const BEING_ERASED = '该账号已申请注销，七天期限已过，正在删除，无法登录';
export const beingErased = () => failed(BEING_ERASED);

/**
 * Returns the seconds until one more message may be sent, 0 for now. `sent` are the epoch milliseconds of earlier
 * messages, in any order; `limits` says how many may lie in each window that ends now.
 */
export function smsWait(sent: number[], limits: readonly { count: number; seconds: number }[], now: number): number {
  const newestFirst = sent.toSorted((one, other) => other - one);
  const waits = limits.map(({ count, seconds }) => {
    // The message that has to leave the window before another fits in.
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

/** Returns the marketing channel of a login link (C-62); "web" for text that is not a channel name. */
export const cleanChannel = (text: string) => (/^[A-Za-z0-9_.:-]{1,32}$/.test(text) ? text : 'web');

/** Returns a browser's name like `Chrome · Windows`, as far as the user agent tells. */
export function browserName(userAgent: string): string {
  const nameIn = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(' · ') : '未知浏览器';
}

/**
 * Returns the place of an address, as far as the address tells by itself: this machine, a private network, or its first
 * half.
 */
export function placeOf(ip: string): string {
  if (ip === '') return '未知';
  if (/^127\.|^::1$/.test(ip)) return '本机';
  if (/^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^f[cd]|^fe80/i.test(ip)) return '内网';
  if (ip.includes(':')) return `${addressGroup(ip).split(':').slice(0, 2).join(':')}:*`;
  return `${ip.split('.').slice(0, 2).join('.')}.*.*`;
}

/**
 * Returns the digits of a phone number as people paste it, without the country code: between them are spaces, dashes of any kind,
 * brackets, and the invisible marks of direction that the contacts of a phone put around a number. Full-width digits become plain.
 */
export function cleanPhone(text: string): string {
  const digits = text.normalize('NFKC').replace(/[^\d+]/g, '');
  return digits.replace(/^(?:\+|00)?86(?=1\d{10}$)/, '');
}

/** Returns the six digits of a code as people paste it: `123 456`, or in full width. */
export const cleanCode = (text: string) => text.normalize('NFKC').replace(/\D/g, '').slice(0, 6);

/** Returns the base64 of the password's UTF-8 bytes (§5). HTTPS is the protection, not this. */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)));
}

/** What a form says of a wrong phone or password (C-70), in the browser and in the answer of the server. */
export const PHONE_ERROR = '请输入正确的手机号';
export const PASSWORD_ERROR = '密码需为8-20位字母和数字组合';
