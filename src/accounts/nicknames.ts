import { hasHidden, isBlank } from '../protocol/hidden-characters.ts';

/** Angle brackets, line separators and halves of a surrogate pair. */
const NOT_IN_NICKNAMES = /[\p{Cs}\p{Zl}\p{Zp}<>]/u;

/** Combining characters, which nobody sees without a character before them: accents, and the variation selectors of emoji. */
const MARKS = /[\p{Mn}\p{Me}]/gu;

/** Returns whether this is a nickname (C-70): 2–20 visible characters without angle brackets. */
export const isNickname = (text: string) =>
  [...text.replace(MARKS, '')].length >= 2 &&
  [...text].length <= 20 &&
  !isBlank(text) &&
  !hasHidden(text) &&
  !NOT_IN_NICKNAMES.test(text);

/** Returns the nickname of an account that nobody named, like 策库用户123456; without the site's name where that is too long. */
export function defaultNickname(siteName: string, digits: string): string {
  const nickname = `${siteName}用户${digits}`;
  return isNickname(nickname) ? nickname : `用户${digits}`;
}
