import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import type { Db } from '../../platform/db/client.ts';
import { fold } from '../fold.ts';
import { addWord, emptyVocabulary, MAX_WORD, type Vocabulary, type Word } from '../vocabulary.ts';
import { cutWords } from './cut-words.ts';
import { soundsOf } from './sounds.ts';
import { nextDocumentTexts, type DocumentTexts } from './store-words.ts';

const BATCH = 1_000;
/** Documents or words between two turns for others: some milliseconds. */
const TURN = 100;
/** The rarest of a very large library are names that nobody else mentions. */
const MAX_WORDS = 60_000;
const FRESH_MS = 60_000;
/** Making it may take this share of the time at most: at a million documents it is renewed about every half hour. */
const SHARE = 1 / 100;

type Kept = { vocabulary: Vocabulary; madeAt: number; costMs: number; making: Promise<Vocabulary> | null };
// By database, so that two apps in one process (tests) never share one.
const kept = new WeakMap<Db, Kept>();

/**
 * What the library knows now, or knew a minute ago: never waits. The first call, and one that finds it old, has it made
 * anew in the background; until the first is there it is empty, and nothing is proposed.
 */
export function vocabularyOf(ctx: Ctx): Vocabulary {
  const known = kept.get(ctx.db);
  const isOld = !known || ctx.clock.now() - known.madeAt > Math.max(FRESH_MS, known.costMs / SHARE);
  if (isOld) refreshVocabulary(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'vocabulary left as it was'));
  return kept.get(ctx.db)?.vocabulary ?? emptyVocabulary();
}

/** Makes it now; at once with one that is being made. */
export function refreshVocabulary(ctx: Ctx): Promise<Vocabulary> {
  const state = kept.get(ctx.db) ?? { vocabulary: emptyVocabulary(), madeAt: 0, costMs: 0, making: null };
  kept.set(ctx.db, state);
  state.making ??= make(ctx, state).finally(() => {
    state.making = null;
  });
  return state.making;
}

async function make(ctx: Ctx, state: Kept): Promise<Vocabulary> {
  state.madeAt = ctx.clock.now();
  const started = performance.now();
  const counted = [...(await countWords(ctx.db))]
    .sort((a, b) => b[1].count - a[1].count || a[0].length - b[0].length)
    .slice(0, MAX_WORDS);
  const vocabulary = emptyVocabulary();
  for (const [index, [text, { shown, count }]] of counted.entries()) {
    if (index % TURN === 0) await setImmediate();
    const sounds = state.vocabulary.byText.get(text)?.sounds ?? soundsOfWord(text);
    addWord(vocabulary, { text, shown, count, sounds });
  }
  state.vocabulary = vocabulary;
  state.costMs = performance.now() - started;
  return vocabulary;
}

async function countWords(db: Db): Promise<Map<string, Pick<Word, 'shown' | 'count'>>> {
  const counts = new Map<string, Pick<Word, 'shown' | 'count'>>();
  const folded = new Map<string, string>();
  for (let afterId = 0; ;) {
    const documents = await nextDocumentTexts(db, afterId, BATCH);
    const last = documents.at(-1);
    if (!last) return counts;
    for (const [index, document] of documents.entries()) {
      if (index % TURN === 0) await setImmediate();
      for (const [text, shown] of wordsOf(document, folded)) {
        const known = counts.get(text);
        if (known) known.count++;
        else counts.set(text, { shown, count: 1 });
      }
    }
    afterId = last.id;
  }
}

/** Words of name and keywords; keywords, organization, industry and themes also as they stand. Folded → as written. */
function wordsOf(document: DocumentTexts, known: Map<string, string>): Map<string, string> {
  const words = new Map<string, string>();
  const put = (shown: string) => {
    // Few words make up many names: each is folded once.
    const text = known.get(shown) ?? asWord(shown);
    known.set(shown, text);
    if (text && !words.has(text)) words.set(text, shown.trim());
  };
  put(document.organization ?? '');
  put(document.industry ?? '');
  for (const text of [...document.keyword.split(/[,，;；、\s]+/), ...document.themes]) put(text);
  const plain = `${document.name}\n${document.keyword}`.normalize('NFKC');
  for (const run of plain.match(/\p{Script=Han}{2,}/gu) ?? []) for (const word of cutWords(run)) put(word);
  for (const word of plain.match(/\p{Script=Latin}[\p{Script=Latin}\p{Nd}]+/gu) ?? []) put(word);
  return words;
}

/** Folded, when it can be typed in one go and says something: two characters at least, no spaces, not a number; or "". */
function asWord(shown: string): string {
  const text = folded(shown.trim());
  const length = [...text].length;
  const isWord = /^[\p{Script=Han}\p{Script=Latin}\p{Nd}]+$/u.test(text) && /[^\p{Nd}]/u.test(text);
  return isWord && length >= 2 && length <= MAX_WORD ? text : '';
}

const folded = (text: string) =>
  fold(text)
    .map(({ char }) => char)
    .join('');

function soundsOfWord(text: string): string[] {
  const chars = [...text];
  const han = chars.filter((char) => /\p{Script=Han}/u.test(char));
  const sounds = han.length > 0 ? soundsOf(han.join('')) : [];
  let next = 0;
  return chars.map((char) => (/\p{Script=Han}/u.test(char) ? (sounds[next++] ?? char) : char));
}
