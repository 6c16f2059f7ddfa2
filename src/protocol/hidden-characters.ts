/** What shows nothing by itself: control and format characters. The first alternative is a joiner that makes one picture of two (👨‍👩‍👧), with the picture before it. */
const HIDDEN =
  /([\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]\u200d(?=\p{Extended_Pictographic}))|[\p{Cc}\p{Cf}]/gu;

/** Returns a text in which `replacement` stands for each character that nobody sees; an emoji made of several stays whole. */
export const replaceHidden = (text: string, replacement: '' | ' '): string =>
  text.replace(HIDDEN, (_hidden, joined?: string) => joined ?? replacement);

/** Returns whether a text has characters that nobody sees, apart from those within an emoji. */
export const hasHidden = (text: string): boolean => replaceHidden(text, '') !== text;
