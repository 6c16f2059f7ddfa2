/** One word and its box in ten-thousandths of the page, from the upper left corner: text, x, y, width, height. */
export type WordBox = [text: string, x: number, y: number, width: number, height: number];

/** One character as a renderer found it; a box of no size for those that are not drawn. */
export type CharBox = { char: string; left: number; top: number; right: number; bottom: number };

const BLANK = /[\s\p{Cc}\p{Cf}\ufffe\uffff]/u;

/**
 * Characters in reading order, joined to words: a word ends at white space, at a change of line and where the gap is
 * wider than the writing is high. Chinese, which has no spaces, comes as whole runs.
 */
export function joinWords(chars: readonly CharBox[]): WordBox[] {
  const words: WordBox[] = [];
  let run: CharBox | null = null;
  const end = () => {
    // The halves of a pair come as two characters; one without the other is none.
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
  return words;
}

function isContinued(run: CharBox, next: CharBox): boolean {
  const height = Math.max(run.bottom - run.top, next.bottom - next.top);
  const shared = Math.min(run.bottom, next.bottom) - Math.max(run.top, next.top);
  // A comma is low and small, so it is enough that the lines touch.
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
