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
  return { name, described, called, built, opened, times: new Map(), totals: new Map() };
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
  const { described, built, opened, times, totals } = running;
  plan.say(`${described.name}: ${CLIENTS} clients`);
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
      perSecond: await storm(running, plan),
      wrongTotals: truth ? [...totals].filter(([number, total]) => truth.get(number) !== total).length : null,
      asked: totals.size,
      change: spreadOf(
        taken(await running.called.call({ kind: 'change', place: plan.place, count: CHANGES }), 'changed').times ?? [],
      ),
    },
  };
}

/** 16 clients; where one process uses one core only, a second shares them. */
async function storm({ name, described, called }: Running, { questions, place, stormMs }: Plan): Promise<number> {
  const numbers = numbersOf(questions.length, described.every);
  const processes = [called];
  for (let more = 1; more < described.processes; more++) {
    const second = startEngine(name);
    processes.push(second);
    await second.call({ kind: 'open', place, questions });
  }
  const ask = { kind: 'storm', numbers, clients: CLIENTS / processes.length, forMs: stormMs } as const;
  const stormed = await Promise.all(processes.map(async (each) => taken(await each.call(ask), 'stormed')));
  for (const each of processes.slice(1)) await each.end();
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
