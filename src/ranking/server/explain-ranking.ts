import type { Ctx } from '../../context.ts';
import { recommendScore } from '../../library/rules.ts';
import { heatOf, WEIGHTS, windowStart, type SignalKind } from '../rules.ts';
import { selectRanked, selectSignals } from './store.ts';

export type Explained = {
  id: number;
  name: string;
  /** People whose strongest signal of the last 30 days is of that kind, and what they add. */
  people: { kind: SignalKind; people: number; heat: number }[];
  /** As it would be computed now, and as it was written by the last run that found it worth it. */
  heat: number;
  writtenHeat: number;
  freshness: number;
  score: number;
  writtenScore: number;
};

/** Why a document stands where it stands; null when there is none of that id. */
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
