import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import { RELATED_SHARE } from '../../decks/deck-levels.ts';
import { type ChartsWanted, type FoundCharts, selectFound } from './store-charts.ts';

/** tsquery literals of a word: in the name, in series and categories, in document, industry and type, and in any of these. */
export type PlaceLiterals = { name: string; data: string; document: string; labels: string };

/**
 * A word of a query. `anywhere` also finds it on the page; `related`: words that stand for it with less weight, null for most. The weights are shares
 * of its rarity: `held` where charts hold it, `unknown` where none does (words/word-weights.ts).
 */
export type AskedWord = PlaceLiterals & {
  anywhere: string;
  /** The industry that the word names, null for none: its charts come before those of other industries that have it as a category. */
  industryId: number | null;
  related: PlaceLiterals | null;
  held: number;
  unknown: number;
};

/** The score of a word by the place where it stands. */
const FIELD_WEIGHTS = { name: 12, industry: 10, data: 8, document: 5, page: 2 };
/** Words of a smaller weight stand with most plans, and name no subject. */
const MIN_SUBJECT = 0.75;
/** Where some charts hold all words, another chart is listed when it holds this share of the query, by the rarity of the words. */
const SHARE_BESIDE_FULL = 0.5;
/** Where no chart holds all words, a chart is listed when it holds this share of the query and has this share of the best score. */
const SHARE = 0.2;
const SHARE_OF_BEST = 0.4;
/** Where no chart holds all words, nothing is listed unless a chart holds this share of the query. */
const MIN_EVIDENCE = 0.2;
/** In a query of more words, some words are not essential. */
export const SHORT_QUERY = 2;
/** In place of MIN_EVIDENCE when the query names a subject that no chart holds: `evidenceOfOwn` where a chart has another subject of the query in its name, series or categories, else `evidenceOfOthers`. */
const evidenceOfOwn = (words: number) => (words > SHORT_QUERY ? 0.25 : 0.5);
const evidenceOfOthers = (words: number) => (words > SHORT_QUERY ? 0.3 : 0.4);
/** Charts that hold words on their pages alone must hold this share. */
const SHARE_ON_PAGES = 0.5;

/**
 * Selects one page of the charts that hold the words: first those that hold all, then, if `isPartial`, those that hold some, by rarity, place and
 * the share of the query that they hold. Nothing is listed for a query about something else (as deck-choice.ts decides for decks).
 */
export function selectChartsByWords(
  db: Db,
  words: readonly AskedWord[],
  wanted: ChartsWanted & { isPartial: boolean },
): Promise<FoundCharts> {
  const anyOf = ({ anywhere, related }: AskedWord) => [anywhere, ...(related ? [related.labels] : [])];
  const any = wanted.isPartial
    ? words
        .flatMap(anyOf)
        .map((literal) => `(${literal})`)
        .join(' | ')
    : words.map(({ anywhere }) => `(${anywhere})`).join(' & ');
  const each = (make: (word: AskedWord, at: number) => SQL, between: string) =>
    sql.join(words.map(make), sql.raw(between));
  const column = (name: string, at: number) => sql.raw(`${name}${at}`);
  const levels = each(
    (word, at) => sql`(case when tokens @@ ${word.name}::tsquery then ${FIELD_WEIGHTS.name}
      when industry_id = ${word.industryId}::bigint then ${FIELD_WEIGHTS.industry}
      when tokens @@ ${word.data}::tsquery then ${FIELD_WEIGHTS.data} when tokens @@ ${word.document}::tsquery then ${FIELD_WEIGHTS.document}
      when tokens @@ ${word.anywhere}::tsquery then ${FIELD_WEIGHTS.page} else 0 end)::float8 as ${column('w', at)},
      ${relatedWorth(word.related)}::float8 as ${column('n', at)}`,
    ', ',
  );
  const rarities = each(
    (
      { held, unknown },
      at,
    ) => sql`ln(1 + (select count(*) from chart_entries)::float8 / greatest(count(*) filter (where ${column('w', at)} > 0), 1))
      * (case when bool_or(${column('w', at)} + ${column('n', at)} > 0) then ${held} else ${unknown} end)::float8 as ${column('r', at)},
      not coalesce(bool_or(${column('w', at)} + ${column('n', at)} > 0), false) as ${column('u', at)}`,
    ', ',
  );
  const held = each(
    (_, at) => sql`(case when ${column('w', at)} > 0 then ${column('r', at)}
      when ${column('n', at)} > 0 then ${RELATED_SHARE}::float8 * ${column('r', at)} else 0 end)`,
    ' + ',
  );
  const worth = each((_, at) => sql`greatest(${column('w', at)}, ${column('n', at)}) * ${column('r', at)}`, ' + ');
  const all = each((_, at) => column('r', at), ' + ');
  const missing = each(
    (_, at) =>
      sql`(case when ${column('w', at)} = 0 then jsonb_build_array(${sql.raw(String(at))}) else '[]'::jsonb end)`,
    ' || ',
  );
  const subjects = words.flatMap((word, at) => (word.held >= MIN_SUBJECT ? [at] : []));
  const anySubject = (make: (at: number) => SQL, none: SQL) =>
    subjects.length > 0 ? sql.join(subjects.map(make), sql` or `) : none;
  const isUnknown = words.flatMap(({ unknown }, at) => (unknown >= MIN_SUBJECT ? [column('u', at)] : []));
  const hits = sql`select chart_id, document_id, type_id, industry_id, created_at, is_full, worth, missing from (
      select *, bool_or(is_full) over () as has_full, max(worth) over () as best, max(share) over () as evidence,
        bool_or(is_own) over () as has_own
      from (select chart_id, document_id, type_id, industry_id, created_at,
            ${each((_, at) => sql`${column('w', at)} > 0`, ' and ')} as is_full, (${held}) / (${all}) as share,
            (${worth}) * (${held}) / (${all}) as worth, ${missing} as missing,
            (${anySubject((at) => sql`${column('w', at)} in (${FIELD_WEIGHTS.name}, ${FIELD_WEIGHTS.data})`, sql`true`)}) as is_own,
            (${anySubject((at) => sql`${column('w', at)} > ${FIELD_WEIGHTS.page} or ${column('n', at)} > 0`, sql`true`)}) as is_named,
            (${isUnknown.length > 0 ? sql.join(isUnknown, sql` or `) : sql`false`}) as is_strange
          from (select chart_id, document_id, type_id, industry_id, created_at, ${levels} from chart_entries
              where tokens @@ ${any}::tsquery) as placed
            cross join (select ${rarities} from (select ${levels} from chart_entries where tokens @@ ${any}::tsquery) as placed) as rare
        ) as scored
    ) as compared
    where is_full or (has_full and share >= ${SHARE_BESIDE_FULL}::float8)
      or (not has_full and share >= ${SHARE}::float8 and worth >= ${SHARE_OF_BEST}::float8 * best
        and (is_named or share >= ${SHARE_ON_PAGES}::float8)
        and evidence >= (case when not is_strange then ${MIN_EVIDENCE}
          when has_own then ${evidenceOfOwn(words.length)}
          else ${evidenceOfOthers(words.length)} end)::float8)`;
  const unknown = each(
    (
      { anywhere },
      at,
    ) => sql`(case when exists (select from chart_entries where tokens @@ ${anywhere}::tsquery) then '[]'::jsonb
      else jsonb_build_array(${sql.raw(String(at))}) end)`,
    ' || ',
  );
  return selectFound(db, hits, unknown, wanted);
}

/** Returns the score of the related words of a word, 0 when it has none. */
function relatedWorth(related: PlaceLiterals | null): SQL {
  if (!related) return sql`0`;
  const share = (worth: number) => sql.raw(String(worth * RELATED_SHARE));
  return sql`(case when tokens @@ ${related.name}::tsquery then ${share(FIELD_WEIGHTS.name)}
    when tokens @@ ${related.data}::tsquery then ${share(FIELD_WEIGHTS.data)}
    when tokens @@ ${related.document}::tsquery then ${share(FIELD_WEIGHTS.document)} else 0 end)`;
}
