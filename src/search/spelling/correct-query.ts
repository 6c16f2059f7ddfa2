import { fold, type Folded } from '../fold.ts';
import { lookAlikesOf } from './look-alikes.ts';
import { blurred, gapsOf, MAX_WORD, type Vocabulary, type Word } from './vocabulary.ts';

/** Returns the pinyin of each character of a Han text in its context, without tones. */
export type SoundsOf = (han: string) => string[];

/** Costs of the ways to read a piece of a query; the cheapest reading of the whole query wins. */
const COST = {
  known: 0.2,
  /** Pinyin of a word, alone or mixed with its characters: canyin, 小hong书. */
  spelled: 0.6,
  /** Pinyin with sounds that are often confused: canying. */
  likeSpelled: 0.8,
  initials: 0.9,
  sameSound: 1,
  likeSound: 1.3,
  /** One character that only looks like the right one: 体糸. */
  lookAlike: 1.2,
  oneEdit: 1.6,
  /** Pinyin with one wrong, missing, additional or exchanged letter: canyim. */
  spelledWithSlip: 1.5,
  /** Added for a word that stands on pages only: a word of a name or label is meant more often. */
  pageWord: 0.3,
  unknownCharacter: 1,
  unknownLetter: 0.5,
};
/** Longer runs of characters are not corrected as one word. */
const LONGEST = 40;
/** Pinyin shorter than this is near to too many words to have a slip in it. */
const MIN_LETTERS_WITH_SLIP = 6;
/** Letters of the pinyin of a word of six characters. */
const LONGEST_SOUND = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A query with more errors than this is left as it is. */
const MAX_SLIPS = 3;

type Unit = { char: string; isHan: boolean; isLetter: boolean; sound: string };
/** `left`: number of letters that belong to no known word. */
type Reading = { cost: number; text: string; slips: number; left: number };

/**
 * The words that a query is read with: those of names and labels, those that stand on pages only and those of the thesaurus (`isSynonym`). `cut` splits a text into words of
 * the dictionary: what is one is not corrected for its looks, and what holds one not to the thesaurus.
 */
type KnownWords = {
  names: Vocabulary;
  pages?: Vocabulary;
  isSynonym?: (text: string) => boolean;
  cut?: (text: string) => string[];
  /** Returns the pinyin of each character with its tone. */
  tonesOf?: SoundsOf;
};

/**
 * Corrects a query with known words: 小红薯 → 小红书, 餐引 → 餐饮, canyin → 餐饮, can yin → 餐饮, xhs → 小红书, 小hong书 → 小红书. Returns null when
 * the query has no error, or no correction is known.
 */
export function correctQuery(query: string, known: KnownWords, soundsOf: SoundsOf): string | null {
  const read = tokensOf(fold(query)).map((token) => ({ token, reading: readToken(token, known, soundsOf) }));
  let isChanged = false;
  const mended = runsOfUnread(read).flatMap((run) => {
    // Syllables of one word, each typed as a word of its own.
    const together =
      run.length > 1
        ? readToken(
            run.flatMap(({ token }) => token),
            known,
            soundsOf,
          )
        : null;
    const apart = run.reduce((sum, { reading }) => sum + (reading?.cost ?? Infinity), 0);
    if (together?.left === 0 && together.cost < apart) {
      isChanged = true;
      return [together.text];
    }
    return run.map(({ token, reading }) => {
      if (!reading || reading.slips === 0) return query.slice(token[0]?.start, token.at(-1)?.end);
      isChanged = true;
      return reading.text;
    });
  });
  return isChanged ? mended.join(' ') : null;
}

type ReadToken = { token: Folded; reading: Reading | null };

/** Groups the tokens of a query: neighbours of letters that are no words, or words with a slip at best, are one group, each other token is one of its own. */
function runsOfUnread(tokens: ReadToken[]): ReadToken[][] {
  const runs: ReadToken[][] = [];
  let isOpen = false;
  for (const each of tokens) {
    const { left, cost } = each.reading ?? { left: 0, cost: 0 };
    const isUnread = (left > 0 || cost >= COST.spelledWithSlip) && each.token.every(({ kind }) => kind === 'letter');
    if (isUnread && isOpen) runs.at(-1)?.push(each);
    else runs.push([each]);
    isOpen = isUnread;
  }
  return runs;
}

/** Returns the cheapest reading of a token, with slips in pinyin only where it has no other; null when it is too long or has too many errors. */
function readToken(token: Folded, known: KnownWords, soundsOf: SoundsOf): Reading | null {
  if (token.length > LONGEST) return null;
  const units = unitsOf(token, soundsOf);
  const exact = read(units, known, false);
  const reading = exact.left > 0 ? read(units, known, true) : exact;
  return reading.slips > MAX_SLIPS ? null : { ...reading, text: withoutRest(reading.text, units) };
}

/** The first letter or two of a syllable of pinyin: no kv, vr, ai or pr, which mean something. */
const REST = /(?<=\p{Script=Han})(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw][aeiou]?)$/u;

/**
 * Leaves out what was typed too much, or of a next syllable, at the end of a word in pinyin: 婚礼 of hunlin. Letters that were typed behind
 * characters stay.
 */
function withoutRest(text: string, units: Unit[]): string {
  const [rest = ''] = REST.exec(text) ?? [];
  const isOfPinyin = units.slice(-1 - rest.length).every(({ isLetter }) => isLetter);
  return rest !== '' && isOfPinyin ? text.slice(0, -rest.length) : text;
}

/** Splits at spaces. */
export function tokensOf(folded: Folded): Folded[] {
  const tokens: Folded[] = [];
  let isOpen = false;
  for (const piece of folded) {
    if (piece.kind !== 'gap' && isOpen) tokens.at(-1)?.push(piece);
    else if (piece.kind !== 'gap') tokens.push([piece]);
    isOpen = piece.kind !== 'gap';
  }
  return tokens;
}

export function unitsOf(token: Folded, soundsOf: SoundsOf): Unit[] {
  const han = token.filter(({ kind }) => kind === 'han').map(({ char }) => char);
  const sounds = han.length > 0 ? soundsOf(han.join('')) : [];
  let next = 0;
  return token.map(({ char, kind }) => {
    const isHan = kind === 'han';
    return { char, isHan, isLetter: kind === 'letter', sound: isHan ? (sounds[next++] ?? char) : char };
  });
}

/** Returns the cheapest reading of the whole text, piece by piece. */
function read(units: Unit[], known: KnownWords, allowsSlip: boolean): Reading {
  const best: Reading[] = [{ cost: 0, text: '', slips: 0, left: 0 }];
  for (let end = 1; end <= units.length; end++) {
    let found: Reading = { cost: Infinity, text: '', slips: 0, left: 0 };
    for (let start = 0; start < end; start++) {
      const before = best[start];
      if (!before) continue;
      // Each slip is tried behind what is read without a rest: to try them everywhere takes a second of a long query.
      const stretch = { start, end, allowsSlip: allowsSlip && before.left === 0 };
      for (const piece of readings(units, stretch, known)) {
        const cost = before.cost + piece.cost;
        if (cost >= found.cost) continue;
        const { text, slips, left } = before;
        found = { cost, text: text + piece.text, slips: slips + piece.slips, left: left + piece.left };
      }
    }
    best.push(found);
  }
  return best.at(-1) ?? { cost: 0, text: '', slips: 0, left: 0 };
}

type Stretch = { start: number; end: number; allowsSlip: boolean };

function readings(units: Unit[], { start, end, allowsSlip }: Stretch, known: KnownWords): Reading[] {
  const { names, pages } = known;
  const piece = units.slice(start, end);
  const text = piece.map(({ char }) => char).join('');
  // A Latin word matches as a whole: nike does not match in nikee.
  const isCut = areLetters(units, start) || areLetters(units, end);
  // A word on the pages of one deck may stand there by chance: 亲自 beside 亲子.
  const isKnown =
    names.byText.has(text) || (pages?.byText.get(text)?.count ?? 0) > 1 || (known.isSynonym?.(text) ?? false);
  if (!isCut && isKnown) return [{ cost: COST.known, text, slips: 0, left: 0 }];
  const how = { isWhole: start === 0 && end === units.length, allowsSlip };
  // A Chinese word that no name holds may be meant, though it sounds like a word of a page: 赏月 and 商约.
  const ofPages = pages && piece.some(({ isLetter }) => isLetter) ? mendings(piece, text, pages, how) : [];
  const onPages = ofPages.map((each) => ({ ...each, cost: each.cost + COST.pageWord }));
  const found = [
    ...mendings(piece, text, names, how),
    ...onPages,
    ...soundingSynonyms(piece, text, known),
    ...lookAlikes(piece, known),
  ];
  if (piece.length > 1) return found;
  const unit = piece[0];
  const cost = unit?.isHan ? COST.unknownCharacter : unit?.isLetter ? COST.unknownLetter : 0;
  return [...found, { cost, text, slips: 0, left: unit?.isLetter ? 1 : 0 }];
}

/**
 * Returns the word of the thesaurus that sounds like three and more Chinese characters which hold no word of the dictionary, though no name holds it: 电音节 of 电音结, and not
 * 购物节 of 购物街. Two characters sound like too many words (小书 and 小暑), but for those that share a character and all tones: 布展 of 步展.
 */
function soundingSynonyms(piece: Unit[], text: string, { pages, isSynonym, cut, tonesOf }: KnownWords): Reading[] {
  if (!pages || piece.length < (tonesOf ? 2 : 3) || piece.some(({ isHan }) => !isHan)) return [];
  if (cut?.(text).some((word) => [...word].length > 1)) return [];
  const words = pages.bySound.get(piece.map(({ sound }) => sound).join(''));
  const tones = piece.length === 2 ? tonesOf?.(text).join(' ') : '';
  const isMeant = (word: Word) =>
    piece.length > 2 ||
    (tonesOf?.(word.text).join(' ') === tones && piece.some(({ char }) => word.text.includes(char)));
  const word = closest(hanOnly(words?.filter((each) => isSynonym?.(each.text) && isMeant(each))), text);
  return word ? [{ cost: COST.sameSound, text: word.text, slips: 1, left: 0 }] : [];
}

/** Returns the word of names that what is no word of the dictionary looks like, but for one character: 体系 of 体糸, and not 酒水 of 洒水. */
function lookAlikes(piece: Unit[], { names, cut }: KnownWords): Reading[] {
  const chars = piece.map(({ char }) => char);
  if (chars.length < 2 || piece.some(({ isHan }) => !isHan) || cut?.(chars.join('')).length === 1) return [];
  const word = closest(
    lookAlikesOf(chars).flatMap((text) => names.byText.get(text) ?? []),
    chars.join(''),
  );
  return word ? [{ cost: COST.lookAlike, text: word.text, slips: 1, left: 0 }] : [];
}

/** Tells whether the characters before and at `index` are both letters. */
const areLetters = (units: Unit[], index: number) =>
  (units[index - 1]?.isLetter ?? false) && (units[index]?.isLetter ?? false);

type How = { isWhole: boolean; allowsSlip: boolean };

function mendings(piece: Unit[], text: string, vocabulary: Vocabulary, { isWhole, allowsSlip }: How): Reading[] {
  const letters = piece.filter(({ isLetter }) => isLetter).length;
  const han = piece.filter(({ isHan }) => isHan).length;
  if (letters + han < piece.length || piece.length < 2) return [];
  const sound = piece.map((unit) => unit.sound).join('');
  const mended = (words: Word[] | undefined, cost: number): Reading[] => {
    const word = closest(words, text);
    return word ? [{ cost, text: word.text, slips: 1, left: 0 }] : [];
  };
  const isSpelled = letters > 1 && sound.length > 2;
  if (han === 0) {
    return [
      ...(isSpelled ? mended(hanOnly(vocabulary.bySound.get(sound)), COST.spelled) : []),
      ...(isSpelled ? mended(hanOnly(vocabulary.byBlur.get(blurred(sound))), COST.likeSpelled) : []),
      ...(allowsSlip ? mended(hanOnly(soundingNearly(text, vocabulary)), COST.spelledWithSlip) : []),
      ...(isWhole && letters <= 8 ? mended(hanOnly(vocabulary.byInitials.get(text)), COST.initials) : []),
      ...(isWhole && letters >= 4 ? mended(neighbours(text, vocabulary), COST.oneEdit) : []),
    ];
  }
  const like = letters > 0 ? COST.spelled : COST.sameSound;
  return [
    ...mended(hanOnly(vocabulary.bySound.get(sound)), like),
    ...mended(hanOnly(vocabulary.byBlur.get(blurred(sound))), COST.likeSound),
    ...(letters === 0 ? mended(neighbours(text, vocabulary), COST.oneEdit) : []),
  ];
}

const hanOnly = (words: Word[] | undefined) => words?.filter(({ text }) => /^\p{Script=Han}+$/u.test(text));

/** Picks the candidate that keeps most of the characters, then the most frequent. */
function closest(words: Word[] | undefined, text: string): Word | null {
  const chars = [...text];
  let best: Word | null = null;
  let kept = -1;
  for (const word of words ?? []) {
    const same = chars.filter((char) => word.text.includes(char)).length;
    if (same > kept) [best, kept] = [word, same];
  }
  return best;
}

/** Returns the words whose pinyin differs from letters by one of them, or by two neighbours exchanged; the most frequent first. */
function soundingNearly(letters: string, { bySound }: Vocabulary): Word[] {
  if (letters.length < MIN_LETTERS_WITH_SLIP || letters.length > LONGEST_SOUND) return [];
  const sounds = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at), letters.slice(at)];
    if (after.length > 0) sounds.add(before + after.slice(1));
    if (after.length > 1) sounds.add(`${before}${after[1] ?? ''}${after[0] ?? ''}${after.slice(2)}`);
    for (const letter of LETTERS) {
      sounds.add(before + letter + after);
      if (after.length > 0) sounds.add(before + letter + after.slice(1));
    }
  }
  return [...sounds].flatMap((sound) => bySound.get(sound) ?? []).sort((a, b) => b.count - a.count);
}

/**
 * Returns the words at edit distance one: an insertion, a deletion, a substitution or a transposition. Two characters are near to too many words, but for those with
 * one more between them (挑赛).
 */
function neighbours(text: string, vocabulary: Vocabulary): Word[] {
  const chars = [...text];
  if (chars.length > MAX_WORD) return [];
  const isNear = chars.length === 2 ? lacksMiddle : isOneEdit;
  const forms = chars.length === 2 ? [text] : gapsOf(text);
  const found = new Set(forms.flatMap((form) => vocabulary.byGap.get(form) ?? []));
  return [...found].filter((word) => isNear(chars, [...word.text])).sort((a, b) => b.count - a.count);
}

/** Tells whether two characters are the first and the last one of a word of three. */
const lacksMiddle = ([first, last]: string[], word: string[]): boolean =>
  word.length === 3 && word[0] === first && word[2] === last;

function isOneEdit(a: string[], b: string[]): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
