/** A word and its box in ten-thousandths of the page, from the upper left corner: text, x, y, width, height. */
export type WordBox = [text: string, x: number, y: number, width: number, height: number];

/** A character found by the renderer. Characters that are not drawn have a box without size. */
export type CharBox = { char: string; left: number; top: number; right: number; bottom: number };

const BLANK = /[\s\p{Cc}\p{Cf}\ufffe\uffff]/u;

/**
 * Joins characters, in reading order, to words. A word ends at white space, at a change of line, and at a gap wider
 * than the height of the text. Chinese, which has no spaces, comes in long runs.
 */
export function joinWords(chars: readonly CharBox[]): WordBox[] {
  const words: WordBox[] = [];
  let run: CharBox | null = null;
  const end = () => {
    // The two halves of a surrogate pair come as two characters; a lone half is dropped.
    const word = run?.char.toWellFormed().replaceAll('\ufffd', '') ?? '';
    if (run && word !== '' && run.right > run.left && run.bottom > run.top) {
      words.push([word, run.left, run.top, run.right - run.left, run.bottom - run.top]);
    }
    run = null;
  };
  for (const next of chars) {
    if (BLANK.test(next.char)) {
      end();
      continue;
    }
    if (next.right <= next.left || next.bottom <= next.top) continue;
    if (run && !isContinued(run, next)) end();
    run = run ? join(run, next) : next;
  }
  end();
  return joinSpaced(words);
}

/** From this many on, single letters in a row are one letter-spaced word (F E S T I V A L). */
const SPACED_LETTERS = 4;
/** A gap this many times wider than the usual one separates two letter-spaced words. */
const WORD_GAP = 1.7;

function joinSpaced(words: readonly WordBox[]): WordBox[] {
  const joined: WordBox[] = [];
  let row: WordBox[] = [];
  const end = () => {
    joined.push(...(row.length < SPACED_LETTERS ? row : wideWords(row)));
    row = [];
  };
  for (const word of words) {
    const last = row.at(-1);
    if (last && !isNextLetter(last, word)) end();
    if (/^\p{L}$/u.test(word[0])) row.push(word);
    else {
      end();
      joined.push(word);
    }
  }
  end();
  return joined;
}

function isNextLetter([, x, y, width, height]: WordBox, next: WordBox): boolean {
  const gap = next[1] - x - width;
  const most = Math.max(height, next[4]);
  return gap >= 0 && gap <= most && Math.abs(next[2] + next[4] - y - height) <= most / 2;
}

function wideWords(letters: readonly WordBox[]): WordBox[] {
  const gapBefore = (index: number) => {
    const [, x = 0, , width = 0] = letters[index - 1] ?? [];
    return (letters[index]?.[1] ?? 0) - x - width;
  };
  const gaps = letters.slice(1).map((_, index) => gapBefore(index + 1));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const words: WordBox[] = [];
  for (const [index, letter] of letters.entries()) {
    const word = words.at(-1);
    if (!word || gapBefore(index) > usual * WORD_GAP) {
      words.push([...letter]);
      continue;
    }
    const [text, x, y, width, height] = letter;
    const top = Math.min(word[2], y);
    word[4] = Math.max(word[2] + word[4], y + height) - top;
    word[2] = top;
    word[3] = x + width - word[1];
    word[0] += text;
  }
  return words;
}

function isContinued(run: CharBox, next: CharBox): boolean {
  const height = Math.max(run.bottom - run.top, next.bottom - next.top);
  const shared = Math.min(run.bottom, next.bottom) - Math.max(run.top, next.top);
  // A comma is low and small, so its box need only touch the line.
  return shared > -height * 0.2 && next.left >= run.right - height && next.left - run.right <= height;
}

function join(run: CharBox, next: CharBox): CharBox {
  return {
    char: run.char + next.char,
    left: Math.min(run.left, next.left),
    top: Math.min(run.top, next.top),
    right: Math.max(run.right, next.right),
    bottom: Math.max(run.bottom, next.bottom),
  };
}
