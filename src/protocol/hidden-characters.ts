/**
 * Characters that show nothing by themselves: control and format characters, the combining grapheme joiner, and letters and signs without a picture (Hangul fillers,
 * two vowels of Khmer, the blank of Braille). The first alternative is a joiner that makes one picture of two (👨‍👩‍👧), with the picture before it.
 */
const HIDDEN =
  /([\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]\u200d(?=\p{Extended_Pictographic}))|[\u034f\u17b4\u17b5\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Variation selectors choose another look of the character before them (❤ and ❤️); alone they show nothing. */
const SELECTOR = /\p{Variation_Selector}/gu;

/** Returns a text in which `replacement` stands for each character that nobody sees; an emoji made of several stays whole. */
export function replaceHidden(text: string, replacement: '' | ' '): string {
  const shown = text.replace(HIDDEN, (_hidden, joined?: string) => joined ?? replacement);
  return /[^\s\p{Variation_Selector}]/u.test(shown) ? shown : shown.replace(SELECTOR, replacement);
}

/** Returns whether a text has characters that nobody sees, apart from those within an emoji. */
export const hasHidden = (text: string): boolean => replaceHidden(text, '') !== text;

/** Returns whether nobody sees anything of a text: a name must not be blank. */
export const isBlank = (text: string): boolean => replaceHidden(text, '').trim() === '';
