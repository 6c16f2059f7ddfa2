/** Says in a card's reason that a related word stands for a word of the query. */
export const nearText = (word: string): string => `与“${word}”相近`;

/** Returns the words that a card names as missing: without those that its reason names a related word for. */
export const lackingWords = ({ missing, reason }: { missing: string[]; reason: string }): string[] =>
  missing.filter((word) => !reason.includes(nearText(word)));
