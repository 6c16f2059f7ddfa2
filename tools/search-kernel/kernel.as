/*
 * The inner loops of a search over whole decks (src/search/engine/match), in AssemblyScript. JavaScript opens the lists, decides which of them are read in a
 * window, and keeps the best decks; what is done for each posting and for each candidate is here.
 *
 * A window is 2,048 places. In it each word has one byte for each place, its code (deck-codes.ts): the codes of four words lie side by side in a plane. Scores are
 * pairs of numbers, worth and rarity, which are added at once.
 */

export const WINDOW: i32 = 2048;
/** The words that a window has places for: more than a query may have (gather.ts). */
export const MAX_WORDS: i32 = 64;
const PLANES: i32 = MAX_WORDS / 4;
const PLANE_BYTES: i32 = WINDOW * 4;
/** Worth and rarity of a word by its code: 256 pairs of f64. */
const TABLE_BYTES: i32 = 256 * 16;

export const planes: usize = memory.data(PLANES * PLANE_BYTES, 16);
/** A byte for each place of the window: 255 where a list that finds decks has the document. */
export const touched: usize = memory.data(WINDOW, 16);
/** Places of the window that may still be listed, ascending. */
export const candidates: usize = memory.data(WINDOW * 4, 16);
/** Places that a list was asked for, and what it holds of each. */
export const places: usize = memory.data(WINDOW * 4, 16);
export const marks: usize = memory.data(WINDOW, 16);
/** The score of each candidate: worth, rarity. */
const scores: usize = memory.data(WINDOW * 16, 16);
export const keys: usize = memory.data(WINDOW * 8, 16);
/** Tables of all words, one after the other: when all their lists are read; when page lists are unread; and what changes when those of a word are read. */
export const known: usize = memory.data(PLANES * 4 * TABLE_BYTES, 16);
export const mixed: usize = memory.data(PLANES * 4 * TABLE_BYTES, 16);
export const changes: usize = memory.data(PLANES * 4 * TABLE_BYTES, 16);
/** What `rank` found so far: decks with all words, and the best score. */
export const found: usize = memory.data(16, 16);
/** Memory for cursors begins here. */
export function cursors(): usize {
  return __heap_base;
}

/*
 * A cursor goes through packed postings (inside.ts). Four numbers, and then its bytes: the position of the next posting and the end of its block, and place and
 * spread of the posting that was read last. The spread is -1 while none of a block was read after a jump.
 */
const STOP: usize = 4;
const PLACE: usize = 8;
const SPREAD: usize = 12;

/** What the key of a deck with all words has more than its score, which puts it before all others. */
export const FULL: f64 = 1e6;

/** The position after the varint that `readRest` read. */
let restEnd: usize = 0;

/** Reads the rest of a varint of 7 bits a byte, whose first byte is over 127. Returns its value; its end is `restEnd`. */
@inline
function readRest(from: usize, first: u32): u32 {
  let at = from;
  let value = first & 127;
  let byte: u32 = 128;
  for (let shift: u32 = 7; byte > 127; shift += 7) {
    byte = load<u8>(at++);
    value |= (byte & 127) << shift;
  }
  restEnd = at;
  return value;
}

@inline
function addCode(codes: usize, own: i32, code: u32, isFinding: bool): void {
  const at = codes + (<usize>own << 2);
  store<u8>(at, load<u8>(at) | <u8>code);
  if (isFinding) store<u8>(touched + own, 255);
}

/** The codes of a word: every fourth byte from here on. */
@inline
function codesOf(word: i32): usize {
  return planes + (word >>> 2) * PLANE_BYTES + (word & 3);
}

/**
 * Adds the code of a word for each posting of a cursor from `first` up to `limit` (excluded), places of the window from `start` on. `isFinding`: its documents
 * become candidates. `isResumed`: the last posting was added already. Returns whether the limit was reached; otherwise the block has ended.
 */
export function addPostings(cursor: usize, start: i32, limit: i32, word: i32, isFinding: bool, isResumed: bool): bool {
  const codes = codesOf(word);
  const stop: usize = load<u32>(cursor, STOP);
  let at: usize = load<u32>(cursor);
  let place = load<i32>(cursor, PLACE);
  let spread = load<i32>(cursor, SPREAD);
  if (spread >= 0) {
    if (place >= limit) return true;
    if (!isResumed && place >= start) addCode(codes, place - start, (2 << spread) - 1, isFinding);
  }
  let isReached = false;
  while (at < stop) {
    let value: u32 = load<u8>(at++);
    if (value > 127) {
      value = readRest(at, value);
      at = restEnd;
    }
    place += value >>> 2;
    spread = value & 3;
    if (place >= limit) {
      isReached = true;
      break;
    }
    if (place >= start) addCode(codes, place - start, (2 << spread) - 1, isFinding);
  }
  store<u32>(cursor, <u32>at);
  store<i32>(cursor, place, PLACE);
  store<i32>(cursor, spread, SPREAD);
  return isReached;
}

/**
 * Writes the places of a cursor from `first` up to `limit` (excluded) to `places`, and their spread marks to `marks`, after the first `count` that are there. Returns how
 * many are there now; as a negative number minus one when the limit was reached, otherwise the block has ended.
 */
export function listPostings(cursor: usize, first: i32, limit: i32, count: i32, isResumed: bool): i32 {
  const stop: usize = load<u32>(cursor, STOP);
  let at: usize = load<u32>(cursor);
  let place = load<i32>(cursor, PLACE);
  let spread = load<i32>(cursor, SPREAD);
  let length = count;
  if (spread >= 0) {
    if (place >= limit) return -1 - length;
    if (!isResumed && place >= first) length = addPlace(length, place, spread);
  }
  let isReached = false;
  while (at < stop) {
    let value: u32 = load<u8>(at++);
    if (value > 127) {
      value = readRest(at, value);
      at = restEnd;
    }
    place += value >>> 2;
    spread = value & 3;
    if (place >= limit) {
      isReached = true;
      break;
    }
    if (place >= first) length = addPlace(length, place, spread);
  }
  store<u32>(cursor, <u32>at);
  store<i32>(cursor, place, PLACE);
  store<i32>(cursor, spread, SPREAD);
  return isReached ? -1 - length : length;
}

/** The mark of a spread (SPREAD_MARKS in inside.ts). */
@inline
function markOf(spread: i32): i32 {
  return (1 << spread) - 1;
}

@inline
function addPlace(length: i32, place: i32, spread: i32): i32 {
  store<i32>(places + (<usize>length << 2), place);
  const mark = markOf(spread);
  store<i8>(marks + length, <i8>mark);
  return length + 1;
}

/**
 * Keeps in `marks` what a cursor has in common with each of the ascending places `from` to `count` (excluded) of a list; -1 for a place without the term. Returns
 * the first place that is after `lastPlace`, the end of the cursor's block, or `count`.
 */
export function narrow(cursor: usize, list: usize, from: i32, count: i32, lastPlace: i32): i32 {
  const stop: usize = load<u32>(cursor, STOP);
  let at: usize = load<u32>(cursor);
  let place = load<i32>(cursor, PLACE);
  let spread = load<i32>(cursor, SPREAD);
  let index = from;
  for (; index < count; index++) {
    const mark: i32 = load<i8>(marks + index);
    if (mark < 0) continue;
    const wanted = load<i32>(list + (<usize>index << 2));
    if (wanted > lastPlace) break;
    while (at < stop && (place < wanted || spread < 0)) {
      let value: u32 = load<u8>(at++);
      if (value > 127) {
        value = readRest(at, value);
        at = restEnd;
      }
      place += value >>> 2;
      spread = value & 3;
    }
    const common = place == wanted && spread >= 0 ? mark & markOf(spread) : -1;
    store<i8>(marks + index, <i8>common);
  }
  store<u32>(cursor, <u32>at);
  store<i32>(cursor, place, PLACE);
  store<i32>(cursor, spread, SPREAD);
  return index;
}

/** Adds the code of a word for the first `count` places of a list, where `marks` has one. */
export function addMarked(list: usize, count: i32, start: i32, word: i32, isFinding: bool): void {
  const codes = codesOf(word);
  for (let index = 0; index < count; index++) {
    const mark: i32 = load<i8>(marks + index);
    if (mark < 0) continue;
    addCode(codes, load<i32>(list + (<usize>index << 2)) - start, (mark << 1) | 1, isFinding);
  }
}

/** Writes the documents that were found in the window from `start` on to `candidates`. Returns their number. */
export function listTouched(start: i32): i32 {
  let count = 0;
  for (let group = 0; group < WINDOW; group += 16) {
    const at = touched + group;
    let bits = i8x16.bitmask(v128.load(at));
    if (bits == 0) continue;
    v128.store(at, i8x16.splat(0));
    for (; bits != 0; bits &= bits - 1) {
      store<i32>(candidates + (<usize>count << 2), start + group + ctz(bits));
      count++;
    }
  }
  return count;
}

/** Makes all codes 0 again and forgets what was found, after a question that failed in the middle of a window. */
export function clearAll(): void {
  memory.fill(planes, 0, PLANES * PLANE_BYTES);
  memory.fill(touched, 0, WINDOW);
}

/** Ends a window: makes the codes of the first `words` words 0 again. */
export function clearWindow(words: i32): void {
  memory.fill(planes, 0, <usize>((words + 3) >>> 2) * PLANE_BYTES);
}

/** Adds up worth and rarity of a candidate over the first `words` words. */
@inline
function scoreOf(candidate: i32, words: i32, table: usize): v128 {
  let sum = f64x2.splat(0);
  let codes = planes + (<usize>(candidate & (WINDOW - 1)) << 2);
  let entries = table;
  for (let word = 0; word < words; word += 4) {
    const four = load<u32>(codes);
    sum = f64x2.add(sum, v128.load(entries + ((four & 255) << 4)));
    sum = f64x2.add(sum, v128.load(entries + ((four >>> 4) & 0xff0), TABLE_BYTES));
    if (words - word > 2) {
      sum = f64x2.add(sum, v128.load(entries + ((four >>> 12) & 0xff0), 2 * TABLE_BYTES));
      sum = f64x2.add(sum, v128.load(entries + ((four >>> 20) & 0xff0), 3 * TABLE_BYTES));
    }
    codes += PLANE_BYTES;
    entries += 4 * TABLE_BYTES;
  }
  return sum;
}

/** Keeps a candidate behind the first `kept` when it may reach the bound or may hold all words. It is written always, and overwritten by the next one when it is dropped. */
@inline
function keep(kept: i32, candidate: i32, score: v128, bound: f64, whole: f64): i32 {
  store<i32>(candidates + (<usize>kept << 2), candidate);
  v128.store(scores + (<usize>kept << 4), score);
  const worth = f64x2.extract_lane(score, 0);
  const rarity = f64x2.extract_lane(score, 1);
  return kept + (i32(worth * rarity >= bound) | i32(rarity > whole));
}

/** Scores the first `count` candidates. Returns how many reach `bound` (worth times rarity) or have more rarity than `whole`, and are kept. */
export function score(count: i32, words: i32, table: usize, bound: f64, whole: f64): i32 {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const candidate = load<i32>(candidates + (<usize>index << 2));
    kept = keep(kept, candidate, scoreOf(candidate, words, table), bound, whole);
  }
  return kept;
}

/** Adds to the scores what changes when the page lists of a word are read. Returns how many candidates are kept, as `score`. */
export function addChanges(count: i32, word: i32, bound: f64, whole: f64): i32 {
  const codes = codesOf(word);
  const entries = changes + word * TABLE_BYTES;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const candidate = load<i32>(candidates + (<usize>index << 2));
    const code: u32 = load<u8>(codes + (<usize>(candidate & (WINDOW - 1)) << 2));
    const sum = f64x2.add(v128.load(scores + (<usize>index << 4)), v128.load(entries + (code << 4)));
    kept = keep(kept, candidate, sum, bound, whole);
  }
  return kept;
}

@inline
function keyOf(score: v128, all: f64, whole: f64): f64 {
  const rarity = f64x2.extract_lane(score, 1);
  return (f64x2.extract_lane(score, 0) * rarity) / all + (rarity > whole ? FULL : 0);
}

/** Writes the keys of the first `count` candidates. Counts decks with all words, and the best score, in `found`. Returns how many have a key of `bound`, and are kept. */
export function rank(count: i32, bound: f64, all: f64, whole: f64): i32 {
  let kept = 0;
  let full: f64 = load<f64>(found);
  let best = load<f64>(found, 8);
  for (let index = 0; index < count; index++) {
    const key = keyOf(v128.load(scores + (<usize>index << 4)), all, whole);
    const isFull = key >= FULL;
    full += f64(i32(isFull));
    best = max(best, isFull ? key - FULL : key);
    store<i32>(candidates + (<usize>kept << 2), load<i32>(candidates + (<usize>index << 2)));
    store<f64>(keys + (<usize>kept << 3), key);
    kept += i32(key >= bound);
  }
  store<f64>(found, full);
  store<f64>(found, best, 8);
  return kept;
}

/** Writes the keys of the first `count` candidates by a sum over all words. */
export function writeKeys(count: i32, words: i32, all: f64, whole: f64): void {
  for (let index = 0; index < count; index++) {
    const sum = scoreOf(load<i32>(candidates + (<usize>index << 2)), words, known);
    store<f64>(keys + (<usize>index << 3), keyOf(sum, all, whole));
  }
}
