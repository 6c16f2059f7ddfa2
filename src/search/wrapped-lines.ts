/**
 * Text of a page with the breaks between two Chinese characters taken out: boxes of a slide wrap in the middle of a
 * word (退 / 休证书), which must be found all the same. What ends up beside each other by chance does little harm.
 */
export function joinWrappedLines(text: string): string {
  return text.replace(/(?<=\p{Script=Han})[^\S\n]*\n[^\S\n]*(?=\p{Script=Han})/gu, '');
}
