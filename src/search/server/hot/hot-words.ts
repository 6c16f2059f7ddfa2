import { stringify } from 'yaml';
import { z } from 'zod';
import { transact, type Ctx } from '../../../context.ts';
import { FileProblems, linesOfEmptied, parseYaml, repeated, visibleLine } from '../../../platform/yaml-file.ts';
import type { Output } from '../../../protocol/endpoint.ts';
import type * as contract from '../../contract.ts';
import { lockHotWords, replaceHotWords, selectHotWords } from './store-hot-words.ts';

/** The words under the search fields (C-24), and the YAML file by which the operator changes them. */

const MAX_WORDS = 10;
/** More would not fit beside each other on a phone. */
const MAX_WORD_CHARACTERS = 12;

/** Returns the hot words in their order. */
export const listHotWords = async (ctx: Ctx): Promise<Output<typeof contract.listHotWords>> => ({
  words: await selectHotWords(ctx.db),
});

const HEAD = `# The hot words under the search fields, in the order in which they are shown.
# "ceku hotword set FILE" shows what a file would change, and with --yes changes it.
`;

const file = z.strictObject({
  words: z
    .array(visibleLine(MAX_WORD_CHARACTERS).min(1, 'must not be empty'))
    .max(MAX_WORDS, `must have at most ${MAX_WORDS} words`),
});

/** Reads the hot words from YAML. Throws FileProblems, which names every problem with its line. */
export function parseHotWords(text: string): string[] {
  const { words } = parseYaml(text, file);
  const problems = repeated(words).map((word) => `The word ${word} is listed twice.`);
  if (problems.length > 0) throw new FileProblems(problems);
  return words;
}

/** Returns the words as YAML that parseHotWords reads. */
export const formatHotWords = (words: readonly string[]): string => `${HEAD}${stringify({ words })}`;

/** Makes `words` the hot words, in that order, and returns what that changes, a line for each change. */
export function setHotWords(
  ctx: Ctx,
  words: readonly string[],
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<{ changes: string[]; isDone: boolean }> {
  return transact(ctx, async ({ db }) => {
    await lockHotWords(db);
    const changes = diffHotWords(await selectHotWords(db), words);
    if (isDryRun || changes.length === 0) return { changes, isDone: false };
    await replaceHotWords(db, words);
    return { changes, isDone: true };
  });
}

function diffHotWords(from: readonly string[], to: readonly string[]): string[] {
  const gone = from.filter((word) => !to.includes(word)).map((word) => `- ${word}`);
  const added = to.flatMap((word, index) => (from.includes(word) ? [] : [`+ ${word} as number ${index + 1}`]));
  const kept = from.filter((word) => to.includes(word));
  const isMoved = to.filter((word) => from.includes(word)).some((word, index) => word !== kept[index]);
  return [
    ...linesOfEmptied(from, to, 'removes all hot words'),
    ...gone,
    ...added,
    ...(isMoved ? [`~ another order: ${to.join(' ')}`] : []),
  ];
}
