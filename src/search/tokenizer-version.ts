/** Raise it with any change of what indexLexemes (words.ts) gives: saved indexes of another version are made again. */
export const TOKENIZER_VERSION = 1;
