/** Returns text as pages are searched: NFKC, small letters, without white space. */
export const normalizedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cc}]/gu, '');
