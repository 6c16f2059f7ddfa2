/** Wrong passwords in a row before an account is locked, and for how long. */
export const MAX_LOGIN_FAILURES = 5;
export const LOCK_SECONDS = 15 * 60;

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
