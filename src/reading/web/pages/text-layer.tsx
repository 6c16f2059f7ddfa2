import { Fragment, useEffect, useState } from 'react';
import { type PageWord, pageText, type DocumentDetail } from '../../contract.ts';
import type { HitBox } from './find-hits.ts';
import styles from './text-layer.module.css';
import { call } from '../../../accounts/web/call.ts';

/**
 * The words of a page, invisible, at their position in the picture: to select, to find with the browser and to be read
 * aloud. A press that selects nothing opens the page like the picture below.
 */
export function TextLayer(props: {
  number: number;
  width: number;
  height: number;
  words: PageWord[];
  /** Places of the words that were searched for, marked on the page. */
  hits?: readonly HitBox[];
  /** Opens the page in the viewer. Not given inside the viewer. */
  onOpen?: () => void;
}) {
  const { width, height, words, hits = [] } = props;
  if (words.length === 0) return null;
  return (
    // The keyboard opens the page with the button below; this handler only keeps the words from blocking clicks.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <svg
      className={styles['layer']}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={`第 ${props.number} 页文字`}
      onClick={() => {
        if (window.getSelection()?.isCollapsed !== false) props.onOpen?.();
      }}
    >
      {hits.map((hit, at) => (
        // A hit has no identity but its place in the list.
        // oxlint-disable-next-line react/no-array-index-key
        <rect
          key={at}
          className={styles['hit']}
          x={hit.x * width}
          y={hit.y * height}
          width={hit.width * width}
          height={hit.height * height}
        />
      ))}
      {linesOfWords(words).map((line, at) => (
        // Lines and words repeat and their order never changes, so the index is the only key.
        // oxlint-disable-next-line react/no-array-index-key
        <text key={at}>
          {line.map((word, index) => (
            // The index is the key for the same reason.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {/* A space between words without a position of its own, so that words can be copied and found. */}
              {index > 0 && ' '}
              <tspan
                x={word.x * width}
                y={(word.y + word.height * 0.86) * height}
                fontSize={word.height * height}
                textLength={word.width * width}
                lengthAdjust="spacingAndGlyphs"
              >
                {word.text}
              </tspan>
            </Fragment>
          ))}
        </text>
      ))}
    </svg>
  );
}

const NONE: ReadonlyMap<number, PageWord[]> = new Map();

/**
 * Returns the words of each page by its number. They are requested when the page is first shown; until then, and after
 * a failure, there are none.
 */
export function usePageWords(detail: DocumentDetail): ReadonlyMap<number, PageWord[]> {
  const [found, setFound] = useState<{ fid: number; words: ReadonlyMap<number, PageWord[]> }>({ fid: 0, words: NONE });
  const { fid, has_words: hasWords } = detail;
  useEffect(() => {
    if (hasWords === 0) return;
    let isOver = false;
    call(pageText, { fid }).then(
      (reply) => {
        if (isOver || reply.code !== 0 || !reply.data) return;
        setFound({ fid, words: new Map(reply.data.pages.map(({ page, words }) => [page, words])) });
      },
      // Pages without selectable text can still be looked at.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [fid, hasWords]);
  return found.fid === fid ? found.words : NONE;
}

/**
 * Groups the words of a page, which come in reading order, into lines: a word continues the line when it is at the same
 * height and to the right of the previous word. The cells of a table row form one line, so that they are copied side by
 * side.
 */
export function linesOfWords(words: readonly PageWord[]): PageWord[][] {
  const lines: PageWord[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line && last && goesOn(last, word)) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

function goesOn(last: PageWord, next: PageWord): boolean {
  const shared = Math.min(last.y + last.height, next.y + next.height) - Math.max(last.y, next.y);
  // A comma is low and small; a letter may overlap the next.
  return shared > Math.min(last.height, next.height) / 2 && next.x > last.x + last.width / 2;
}

/**
 * Returns the words of one page after the preview, asked for when the reader comes to it. `page` is 0 for a page of the
 * preview.
 */
export function useWordsOfPage(fid: number, page: number): PageWord[] {
  const [found, setFound] = useState<{ fid: number; page: number; words: PageWord[] } | null>(null);
  useEffect(() => {
    if (page === 0) return;
    let isOver = false;
    call(pageText, { fid, page }).then(
      (reply) => {
        if (!isOver && reply.code === 0) setFound({ fid, page, words: reply.data?.pages[0]?.words ?? [] });
      },
      // A page without selectable text can still be looked at.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [fid, page]);
  return found?.fid === fid && found.page === page ? found.words : NO_WORDS;
}

const NO_WORDS: PageWord[] = [];
