/** The facts that remarks are made from. `fonts`: names of missing fonts with the fonts that replaced them. */
type Remarked = { flags: readonly string[]; fonts: Readonly<Record<string, string>> };

const FLAG_WORDS: Readonly<Record<string, string>> = {
  blank: 'every page is blank: kept off the shelf',
  'no-text': 'no readable text: search finds it by its title only',
  'pages-missing': 'some pages could not be drawn',
  'text-partial': 'the text of some pages could not be read',
  'pages-differ': 'the PDF has another number of pages than the deck has slides',
};
const SHOWN_FONTS = 5;
/** Flags of files that an operator should look at. */
const DOUBTFUL: readonly string[] = ['blank', 'no-text'];

/** Returns what an operator should look at because of the flags of a file, in plain English. */
export const doubtsOfFlags = (flags: readonly string[]): string[] =>
  flags.filter((flag) => DOUBTFUL.includes(flag)).flatMap((flag) => FLAG_WORDS[flag] ?? []);

/** Returns what an operator should know about a file that was prepared, in plain English; "" when there is nothing. */
export function remarksOf({ flags, fonts }: Remarked): string {
  const replaced = Object.entries(fonts).map(([name, drawn]) => `${name} by ${drawn}`);
  const more = replaced.length > SHOWN_FONTS ? ` and ${replaced.length - SHOWN_FONTS} more` : '';
  return [
    ...flags.flatMap((flag) => FLAG_WORDS[flag] ?? []),
    ...(replaced.length > 0 ? [`fonts replaced: ${replaced.slice(0, SHOWN_FONTS).join(', ')}${more}`] : []),
  ].join('; ');
}
