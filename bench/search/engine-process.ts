import type { Engine, Place } from './engine.ts';
import { ENGINES } from './engines.ts';
import type { Question } from './questions.ts';

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
  | { kind: 'close' };
export type Described = Pick<Engine, 'name' | 'isInMemory' | 'every' | 'largest' | 'processes'> & {
  missing: string | null;
};
export type Built = { ms: number; disk: number | null };
/** `memory`: growth of the process since before it loaded the engine. */
export type Opened = { ms: number; memory: number };
export type Asked = { number: number; ms: number; total: number; first: number | null }[];
export type Stormed = { answered: number; ms: number };
/** One of them. */
export type Said = Partial<{
  described: Described;
  built: Built;
  opened: Opened;
  asked: Asked;
  stormed: Stormed;
  closed: true;
  failure: string;
}>;

const idle = settledMemory();
const engine = await ENGINES[process.argv[2] ?? '']?.();
if (!engine) throw new Error('name an engine');
let questions: Question[] = [];
let opened: Awaited<ReturnType<Engine['open']>> | null = null;

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
    const { disk } = await engine.build(ask.place, corpus(ask.place.documents));
    return { built: { ms: performance.now() - started, disk } };
  }
  if (ask.kind === 'open') {
    questions = ask.questions;
    const started = performance.now();
    opened = await engine.open(ask.place);
    // The process is ready when it has answered.
    await asked(0);
    const ms = performance.now() - started;
    return { opened: { ms, memory: settledMemory() - idle } };
  }
  if (ask.kind === 'ask') return { asked: await askInSequence(ask.numbers) };
  if (ask.kind === 'storm') return { stormed: await storm(ask) };
  await opened?.close();
  return { closed: true };
}

function asked(number: number) {
  const question = questions[number];
  if (!opened || !question) throw new Error('nothing to ask');
  return opened.ask(question);
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
