import type { Ctx } from '../../context.ts';
import { recordHeats } from '../../library/server/documents.ts';
import { recommendScore } from '../../library/rules.ts';
import { heatOf, type SignalKind, WEIGHTS, windowStart } from '../rules.ts';
import { selectChangedHeats, selectRanked, selectSignals } from './store.ts';

/** Search has to index every document whose heat changes, so a run writes the largest changes only; the next run writes the rest. */
const MAX_CHANGES_PER_RUN = 5_000;
/** One statement locks this many documents; a download of one of them waits for it. */
const BATCH = 250;

/** Recomputes heat and score of all documents. Returns how many changed. Safe to run twice. */
export async function updateRanking(ctx: Ctx, signal?: AbortSignal): Promise<{ moved: number }> {
  const changed = await selectChangedHeats(ctx.db, windowStart(ctx.clock.now()), MAX_CHANGES_PER_RUN);
  // Rows are updated in the order of ids, so that two runs cannot deadlock.
  const ordered = changed.toSorted((a, b) => a.id - b.id);
  let moved = 0;
  for (; moved < ordered.length && !signal?.aborted; moved += BATCH)
    await recordHeats(ctx, ordered.slice(moved, moved + BATCH));
  return { moved: Math.min(moved, ordered.length) };
}

type Explained = {
  id: number;
  name: string;
  /** How many people have this kind as their strongest signal of the last 30 days, and the heat they add. */
  people: { kind: SignalKind; people: number; heat: number }[];
  /** Heat computed now. */
  heat: number;
  /** Heat that the last run wrote. */
  writtenHeat: number;
  freshness: number;
  score: number;
  writtenScore: number;
};

/** Returns the facts that decide a document's place in lists; null when the document does not exist. */
export async function explainRanking(ctx: Ctx, id: number): Promise<Explained | null> {
  const now = ctx.clock.now();
  const [document, signals] = await Promise.all([
    selectRanked(ctx.db, id),
    selectSignals(ctx.db, id, windowStart(now)),
  ]);
  if (!document) return null;
  const strongest = new Map<number, SignalKind>();
  for (const { userId, kind } of signals) {
    const known = strongest.get(userId);
    if (!known || WEIGHTS[kind] > WEIGHTS[known]) strongest.set(userId, kind);
  }
  const kinds: SignalKind[] = ['download', 'favourite', 'read'];
  const createdAt = new Date(document.createdMs);
  const heat = heatOf(signals, now);
  return {
    id,
    name: document.name,
    people: kinds.map((kind) => {
      const people = [...strongest.values()].filter((each) => each === kind).length;
      return { kind, people, heat: people * WEIGHTS[kind] };
    }),
    heat,
    writtenHeat: document.heat,
    freshness: recommendScore(createdAt, 0),
    score: recommendScore(createdAt, heat),
    writtenScore: document.score,
  };
}

export function explainedText(explained: Explained): string {
  const { id, name, people, heat, writtenHeat, freshness, score, writtenScore } = explained;
  return [
    `${id}  ${name}`,
    ...people.map((each) => `  ${each.kind.padEnd(9)}  ${each.people} people  +${each.heat}`),
    `  heat       ${heat} (written: ${writtenHeat})  = ${Math.log1p(heat).toFixed(3)} in units of 60 days`,
    `  freshness  ${freshness.toFixed(3)}`,
    `  score      ${score.toFixed(3)} (written: ${writtenScore.toFixed(3)})`,
  ].join('\n');
}
