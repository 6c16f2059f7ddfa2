export type LexiconKind = 'theme' | 'industry';

/**
 * A line of the lexicon: a theme or an industry and the words that indicate it, folded, each with its strength (up to
 * 4), and the words of documents that are about something else.
 */
export type LexiconLine = {
  kind: LexiconKind;
  name: string;
  words: ReadonlyMap<string, number>;
  excluding: readonly string[];
};

const OWN_NAME_WEIGHT = 3;

/** Returns text in the form in which words are searched: compatibility characters and case folded. */
export const foldText = (text: string) => text.normalize('NFKC').toLowerCase();

/** Reads lexicon.txt, whose head explains the format. Throws on an invalid line. */
export function parseLexicon(text: string): LexiconLine[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, kind, name, rest] = /^(theme|industry) ([^:]+):(.*)$/.exec(line) ?? [];
      if ((kind !== 'theme' && kind !== 'industry') || !name || rest === undefined) {
        throw new SyntaxError(`not a line of the lexicon: ${line.slice(0, 60)}`);
      }
      const items = rest.trim().split(/\s+/);
      const words = items.filter((item) => !item.startsWith('!')).map(wordOf);
      return {
        kind,
        name,
        words: new Map([[foldText(name), OWN_NAME_WEIGHT], ...words]),
        excluding: items.filter((item) => item.startsWith('!')).map((item) => foldText(item.slice(1))),
      };
    });
}

function wordOf(item: string): [string, number] {
  const [word = '', weight = '1'] = item.split('*');
  const value = Number(weight);
  if (word === '' || !(value > 0 && value <= 4)) throw new SyntaxError(`not a word of the lexicon: ${item}`);
  return [foldText(word), value];
}
