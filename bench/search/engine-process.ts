import type { Asked, Engine, Open, Place, Stormed } from './engine.ts';
import { ENGINES } from './engines.ts';
import { sourceDocument } from '../../tests/source-document.ts';
import { questionOf, type Question } from './questions.ts';

/**
 * Calls that the benchmark makes to an engine's process, one at a time, and their answers. Times in ms, memory in
 * bytes.
 */
export type Ask =
  | { kind: 'describe' }
  | { kind: 'build'; place: Place }
  | { kind: 'open'; place: Place; questions: Question[] }
  | { kind: 'ask'; numbers: number[] }
  | { kind: 'storm'; numbers: number[]; clients: number; forMs: number }
  | { kind: 'warm up'; count: number; forMs: number }
  | { kind: 'change'; place: Place; count: number }
  | { kind: 'close' };
export type Described = Pick<Engine, 'name' | 'isInMemory' | 'every' | 'largest' | 'processes'> & {
  missing: string | null;
};
export type Built = { ms: number; disk: number | null };
/** `memory`: growth of the process since before it loaded the engine. */
export type Opened = { ms: number; memory: number };
/** One of them. */
export type Said = Partial<{
  described: Described;
  built: Built;
  opened: Opened;
  asked: Asked;
  stormed: Stormed;
  warmedUp: number;
  /** Null when the engine cannot change documents here. */
  changed: { times: number[] | null };
  closed: true;
  failure: string;
}>;

const idle = settledMemory();
const engine = await ENGINES[process.argv[2] ?? '']?.();
if (!engine) throw new Error('name an engine');
let questions: Question[] = [];
let opened: Open | null = null;

process.on('message', (ask: Ask) => {
  answer(engine, ask).then(
    (said) => process.send?.(said),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function answer(engine: Engine, ask: Ask): Promise<Said> {
  if (ask.kind === 'describe') {
    const { name, isInMemory, every, largest, processes } = engine;
    return { described: { name, isInMemory, every, largest, processes, missing: await engine.missing() } };
  }
  if (ask.kind === 'build') {
    const { corpus } = await import('./corpus.ts');
    const started = performance.now();
    const { disk } = await engine.build(ask.place, corpus(ask.place.documents, ask.place.isWhole));
    return { built: { ms: performance.now() - started, disk } };
  }
  if (ask.kind === 'open') {
    questions = ask.questions;
    const started = performance.now();
    opened = await engine.open(ask.place, questions);
    // The process is ready when it has answered.
    await asked(0);
    const ms = performance.now() - started;
    const memory = opened.remote ? await opened.remote.memory() : settledMemory() - idle;
    return { opened: { ms: opened.remote?.openedMs ?? ms, memory } };
  }
  if (ask.kind === 'warm up') return { warmedUp: await warmUp(ask) };
  if (ask.kind === 'ask')
    return { asked: await (opened?.remote ? opened.remote.ask(ask.numbers) : askInSequence(ask.numbers)) };
  if (ask.kind === 'storm')
    return { stormed: await (opened?.remote ? opened.remote.storm(ask.numbers, ask.clients, ask.forMs) : storm(ask)) };
  if (ask.kind === 'change') return { changed: { times: opened?.change ? await change(opened.change, ask) : null } };
  await opened?.close();
  return { closed: true };
}

function asked(number: number) {
  const question = questions[number];
  if (!opened || !question) throw new Error('nothing to ask');
  return opened.ask(question);
}

/** Returns the number of questions that were asked: `count`, or as many as an engine answers in `forMs`. */
async function warmUp({ count, forMs }: { count: number; forMs: number }): Promise<number> {
  if (opened?.remote) {
    await opened.remote.warmUp(count);
    return count;
  }
  const started = performance.now();
  let done = 0;
  for (; done < count && performance.now() - started < forMs; done++) await asked(done % questions.length);
  return done;
}

/** Changes the first documents, each to a text with a word that no other has. */
async function change(apply: NonNullable<Open['change']>, { place, count }: { place: Place; count: number }) {
  const { corpus } = await import('./corpus.ts');
  const times: number[] = [];
  for (const document of corpus(Math.min(count, place.documents), place.isWhole)) {
    const mark = `mark${document.id}x`;
    times.push(
      await apply(sourceDocument({ ...document, name: `${document.name}${mark}` }), questionOf('changed', mark)),
    );
  }
  return times;
}

async function askInSequence(numbers: number[]): Promise<Asked> {
  // Waking up after other engines used the processor costs every engine the same and is not part of a search.
  await asked(numbers.at(-1) ?? 0);
  const answers: Asked = [];
  for (const number of numbers) {
    const started = performance.now();
    const { ids, total } = await asked(number);
    answers.push({ number, ms: performance.now() - started, total, first: ids[0] ?? null });
  }
  return answers;
}

async function storm({
  numbers,
  clients,
  forMs,
}: {
  numbers: number[];
  clients: number;
  forMs: number;
}): Promise<Stormed> {
  const started = performance.now();
  let answered = 0;
  let next = 0;
  const client = async () => {
    while (performance.now() - started < forMs) {
      await asked(numbers[next++ % numbers.length] ?? 0);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { answered, ms: performance.now() - started };
}

function settledMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
