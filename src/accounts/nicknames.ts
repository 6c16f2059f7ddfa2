import { hasHidden } from '../protocol/hidden-characters.ts';

/** Angle brackets, line separators, halves of a surrogate pair, and letters without a picture: Hangul fillers, the blank of Braille. */
const NOT_IN_NICKNAMES = /[\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0<>]/u;

/** Returns whether this is a nickname (C-70): 2–20 visible characters without angle brackets. */
export const isNickname = (text: string) => {
  const length = [...text].length;
  return length >= 2 && length <= 20 && !hasHidden(text) && !NOT_IN_NICKNAMES.test(text);
};

/** Returns the nickname of an account that nobody named, like 策库用户123456; without the site's name where that is too long. */
export function defaultNickname(siteName: string, digits: string): string {
  const nickname = `${siteName}用户${digits}`;
  return isNickname(nickname) ? nickname : `用户${digits}`;
}
