/** Returns the path of two documents side by side; without the second, of the page that chooses it. */
export const comparePath = (left: number, right = 0): string => `/compare/${left}${right > 0 ? `/${right}` : ''}`;
