export const DAY_MS = 86_400_000;
export const DAY_SECONDS = 86_400;
