/** Returns the number that a part of an address writes in at most 15 digits, and null for any other text. */
export function wholeNumber(text: string | null | undefined): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
