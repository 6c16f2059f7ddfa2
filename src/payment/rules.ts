/** Yuan with at most two decimals (C-06): 19800 → 198, 19850 → 198.5. */
export const yuan = (fen: number) => fen / 100;

/** Calendar months nearest to a number of days: 90 → 3, 365 → 12. */
export const monthsOf = (days: number) => Math.round((days * 12) / 365);
