import { EXIT, printable } from '../../../platform/command-line.ts';
import { createProgress } from '../../../platform/progress.ts';
import { RefusedError, refuse, type Refused } from '../../refusals.ts';
import type { Sniffed } from '../../prepared-file.ts';
import type { Collected } from '../source/collect-files.ts';
import { wordsOf } from './accept-file.ts';
import { InspectionFailed, inspectPdf, isMachineFault } from '../sniff/inspect-pdf.ts';
import { identityOf, openSource, type Root } from '../source/open-source.ts';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { sniffFile, type SniffOptions } from '../sniff/sniff-file.ts';

/** How many files are inspected ahead of the printed one. */
const AHEAD = 4;

type DryRunOptions = SniffOptions & { json?: boolean; concurrency: number };

/** `--dry-run`: prints for each file whether it would be accepted or refused, and changes nothing. */
export async function dryRun(
  input: Collected & { missing: string[]; notesOf: (path: string) => string[] },
  options: DryRunOptions,
): Promise<void> {
  const { files, unreachable, rootOf, missing, notesOf } = input;
  const say = (path: string, state: 'accepted' | 'duplicate' | 'refused', words: string) => {
    const message = [words, ...notesOf(path)].join('; ');
    if (options.json) console.log(JSON.stringify({ path, state, message }));
    else console.log(printable(`${state === 'refused' ? 'refuse ' : 'accept '} ${path}: ${message}`));
  };
  for (const { path, refused } of unreachable) say(path, 'refused', wordsOf(refused));
  const firstOf = new Map<string, string>();
  let refused = unreachable.length;
  let repeated = 0;
  const progress = createProgress('checking');
  let done = 0;
  try {
    for await (const { path, result } of inspectAll(files, rootOf, options)) {
      if (!result.ok) {
        refused++;
        say(path, 'refused', wordsOf(result));
      } else {
        const first = firstOf.get(result.sha256);
        if (first) repeated++;
        else firstOf.set(result.sha256, path);
        const words = first ? `same content as ${first}` : `${result.fileType}, ${result.bytes} bytes`;
        say(path, first ? 'duplicate' : 'accepted', words);
      }
      progress.update(++done, files.length);
    }
  } finally {
    progress.end();
  }
  for (const path of missing) console.error(printable(`missing ${path}: in the manifest, but not found`));
  const accepted = files.length + unreachable.length - refused;
  const more = repeated > 0 ? `, ${repeated} of them duplicates` : '';
  console.error(`${accepted} would be accepted${more}, ${refused} refused. Nothing was changed.`);
  if (refused + missing.length > 0) process.exitCode = EXIT.partial;
}

/** Yields the results in the order of the files; inspects several files at once. */
async function* inspectAll(files: string[], rootOf: Collected['rootOf'], options: DryRunOptions) {
  const atOnce = options.concurrency;
  const slots = Array.from({ length: atOnce }, openRendererSlot);
  const queues: Promise<unknown>[] = slots.map(() => Promise.resolve());
  const ahead: Promise<Sniffed | Refused>[] = [];
  const begin = (index: number) => {
    const [path, slot] = [files[index], slots[index % atOnce]];
    if (path === undefined || !slot) return;
    const result = (queues[index % atOnce] ?? Promise.resolve()).then(() =>
      inspect(path, slot, { ...options, root: rootOf(path) }),
    );
    queues[index % atOnce] = result.catch(() => undefined);
    ahead.push(result);
  };
  try {
    for (let index = 0; index < atOnce * AHEAD; index++) begin(index);
    for (const [index, path] of files.entries()) {
      const result = await ahead.shift();
      begin(index + atOnce * AHEAD);
      if (result) yield { path, result };
    }
  } finally {
    for (const slot of slots) slot.close();
  }
}

/** Sniffs a file and counts the pages of a PDF, which otherwise its preparation would count. */
async function inspect(
  path: string,
  slot: RendererSlot,
  options: SniffOptions & { root: Root | null },
): Promise<Sniffed | Refused> {
  try {
    const sniffed = await sniffFile(path, options);
    if (!sniffed.ok || sniffed.fileType !== 'pdf') return sniffed;
    const { handle, place, facts } = await openSource(path, options.root);
    try {
      await inspectPdf(place, { slot, identity: identityOf(facts) });
    } finally {
      await handle.close();
    }
    return sniffed;
  } catch (error) {
    if (error instanceof RefusedError) return refuse(error.code, error.detail);
    if (error instanceof InspectionFailed) return refuse('render-failed', error.message);
    if (isMachineFault(error)) throw error;
    // The file was removed or changed meanwhile.
    if (error instanceof Error && 'code' in error) return refuse('unreadable', String(error.code));
    throw error;
  }
}
