import type { Db } from '../../../platform/db/client.ts';
import { selectTakenNames } from './store.ts';

/** How many names are tried before a number is added. */
const TRIED = 8;

/**
 * Returns a name that no document of another deck has: the title, or the title with the first word of `words` that makes it different
 * (商业计划书（植保）), or with a number from 2 to 100; when all of these are taken, the title, which is taken as well. The documents of `files` are the
 * same deck and may share the name. Call it while the versions are locked.
 */
export async function distinctName(
  db: Db,
  title: string,
  words: readonly string[],
  files: readonly number[],
): Promise<string> {
  const named = words.filter((word) => !title.toLowerCase().includes(word)).slice(0, TRIED);
  const names = [title, ...named.map((word) => `${title}（${word}）`)];
  const taken = new Set(await selectTakenNames(db, names, files));
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const numbered = Array.from({ length: 99 }, (_, index) => `${title}（${index + 2}）`);
  const used = new Set(await selectTakenNames(db, numbered, files));
  return numbered.find((name) => !used.has(name)) ?? title;
}
