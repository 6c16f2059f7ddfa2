import { startEngine, type Called } from './call-process.ts';
import type { Described, Said } from './engine-process.ts';
import type { Place } from './engine.ts';
import { KINDS, type Kind, type Question } from './questions.ts';

export type Spread = { p50: number; p95: number; p99: number };
/** Times in ms, memory and disk in bytes. */
export type Row = {
  engine: string;
  /** The reason why the engine was not measured. */
  missing: string | null;
  measured: {
    buildMs: number;
    loadMs: number | null;
    memory: number;
    disk: number | null;
    all: Spread;
    kinds: Partial<Record<Kind, Spread>>;
    /** The median of the rounds. */
    perSecond: number;
    /** The number of questions, of `asked`, whose total differs from PostgreSQL's. */
    wrongTotals: number | null;
    asked: number;
    /** From a change to the first answer that shows it; null when the engine was not asked to change documents. */
    change: Spread | null;
  } | null;
};

type Running = {
  name: string;
  described: Described;
  called: Called;
  built: { ms: number; disk: number | null };
  opened: { ms: number; memory: number };
  times: Map<number, number[]>;
  totals: Map<number, number>;
  /** Questions a second with all clients, of each round. */
  storms: number[];
};
export type Plan = {
  names: string[];
  place: Place;
  questions: Question[];
  rounds: number;
  stormMs: number;
  /** The warming up of an engine ends after this time. */
  warmUpMs: number;
  say(line: string): void;
};

const BLOCK = 10;
const CLIENTS = 16;
/** Just-in-time compilers need some thousand questions before they are as fast as they become. */
const WARM_UP = 5_000;
const CHANGES = 20;

/** Builds every engine one after the other, then asks them alternately, ten questions at a time. */
export async function measure(plan: Plan): Promise<Row[]> {
  const started: (Running | Row)[] = [];
  const open: Called[] = [];
  try {
    for (const name of plan.names) {
      const running = await start(name, plan, open).catch((error: unknown): Row => failed(name, error));
      started.push(running);
    }
    const running = started.filter((each) => 'called' in each);
    plan.say('warming up');
    for (const { called } of running) await called.call({ kind: 'warm up', count: WARM_UP, forMs: plan.warmUpMs });
    // The first round only brings the memory back to the caches and is not counted.
    for (let round = -1; round < plan.rounds; round++) {
      if (round >= 0) plan.say(`round ${round + 1} of ${plan.rounds}`);
      await askAll(running, plan.questions.length, round);
    }
    await stormAll(running, plan, open);
    const rows: Row[] = [];
    const truth = running.find(({ described }) => described.name === 'PostgreSQL')?.totals;
    for (const each of started) rows.push('called' in each ? await finish(each, plan, truth) : each);
    return rows;
  } finally {
    for (const called of open) await called.end();
  }
}

const failed = (engine: string, error: unknown): Row => ({
  engine,
  missing: `failed: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 100) ?? ''}`,
  measured: null,
});

async function start(name: string, { place, questions, say }: Plan, open: Called[]): Promise<Running | Row> {
  let called = startEngine(name);
  open.push(called);
  const described = taken(await called.call({ kind: 'describe' }), 'described');
  const missing = described.missing ?? tooMany(place, described);
  if (missing) return { engine: described.name, missing, measured: null };
  say(`${described.name}: building`);
  const built = taken(await called.call({ kind: 'build', place }), 'built');
  if (!described.isInMemory) {
    await called.end();
    called = startEngine(name);
    open.push(called);
    await called.call({ kind: 'describe' });
  }
  const opened = taken(await called.call({ kind: 'open', place, questions }), 'opened');
  return { name, described, called, built, opened, times: new Map(), totals: new Map(), storms: [] };
}

function tooMany({ documents, isWhole }: Place, { largest, name }: Described): string | null {
  const most = isWhole ? largest.whole : largest.names;
  if (documents <= most) return null;
  return most === 0 ? `${name} is asked for names alone` : `not measured above ${most} documents`;
}

function numbersOf(count: number, every: number): number[] {
  return Array.from({ length: count }, (_, number) => number).filter((number) => number % every === 0);
}

async function askAll(running: Running[], count: number, round: number): Promise<void> {
  for (let from = 0; from < count; from += BLOCK) {
    for (const each of running) {
      const { every } = each.described;
      // Engines that get only a part of the questions are asked in the first round alone.
      if (every > 1 && round > 0) continue;
      const numbers = numbersOf(count, every).filter((number) => number >= from && number < from + BLOCK);
      if (numbers.length === 0) continue;
      for (const { number, ms, total } of taken(await each.called.call({ kind: 'ask', numbers }), 'asked')) {
        each.totals.set(number, total);
        if (round >= 0) each.times.set(number, [...(each.times.get(number) ?? []), ms]);
      }
    }
  }
}

async function finish(running: Running, plan: Plan, truth: Map<number, number> | undefined): Promise<Row> {
  const { described, built, opened, times, totals, storms } = running;
  const kinds: Partial<Record<Kind, Spread>> = {};
  for (const kind of KINDS) {
    const spread = spreadOf(
      [...times].flatMap(([number, each]) => (plan.questions[number]?.kind === kind ? each : [])),
    );
    if (spread) kinds[kind] = spread;
  }
  return {
    engine: described.name,
    missing: null,
    measured: {
      buildMs: built.ms,
      loadMs: described.isInMemory ? null : opened.ms,
      memory: opened.memory,
      disk: built.disk,
      all: spreadOf([...times.values()].flat()) ?? { p50: 0, p95: 0, p99: 0 },
      kinds,
      perSecond: storms.toSorted((a, b) => a - b)[storms.length >> 1] ?? 0,
      wrongTotals: truth ? [...totals].filter(([number, total]) => truth.get(number) !== total).length : null,
      asked: totals.size,
      change: spreadOf(
        taken(await running.called.call({ kind: 'change', place: plan.place, count: CHANGES }), 'changed').times ?? [],
      ),
    },
  };
}

/** 16 clients of each engine in turn, round by round, because the speed of a machine changes within minutes. Where one process uses one core only, a second shares them. */
async function stormAll(running: Running[], plan: Plan, open: Called[]): Promise<void> {
  const engines: { each: Running; processes: Called[] }[] = [];
  for (const each of running) {
    const processes = [each.called];
    while (processes.length < each.described.processes) {
      const more = startEngine(each.name);
      open.push(more);
      await more.call({ kind: 'open', place: plan.place, questions: plan.questions });
      processes.push(more);
    }
    engines.push({ each, processes });
  }
  for (let round = 0; round < plan.rounds; round++) {
    plan.say(`${CLIENTS} clients, round ${round + 1} of ${plan.rounds}`);
    for (const { each, processes } of engines) each.storms.push(await storm(each, processes, plan));
  }
}

async function storm(
  { described }: Running,
  processes: Called[],
  { questions, stormMs: forMs }: Plan,
): Promise<number> {
  const clients = CLIENTS / processes.length;
  const ask = { kind: 'storm', numbers: numbersOf(questions.length, described.every), clients, forMs } as const;
  const stormed = await Promise.all(processes.map(async (each) => taken(await each.call(ask), 'stormed')));
  return stormed.reduce((sum, { answered, ms }) => sum + answered / (ms / 1_000), 0);
}

export function spreadOf(times: number[]): Spread | null {
  if (times.length === 0) return null;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function taken<K extends keyof Said>(said: Said, key: K) {
  const value = said[key];
  if (value === undefined) throw new Error(`an engine's process did not say what was asked: ${key}`);
  return value;
}
