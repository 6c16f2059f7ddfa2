import { Fragment } from 'react';
import type { PageWord } from '../../contract.ts';
import { linesOfWords } from './lines-of-words.ts';
import styles from './text-layer.module.css';

/**
 * The words of a page, invisible, at their position in the picture: to select, to find with the browser and to be read
 * aloud. A press that selects nothing opens the page like the picture below.
 */
export function TextLayer(props: {
  number: number;
  width: number;
  height: number;
  words: PageWord[];
  /** Missing in the viewer, where the page is open already. */
  onOpen?: () => void;
}) {
  const { width, height, words } = props;
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
      {linesOfWords(words).map((line, at) => (
        // Lines and words repeat and their order never changes, so the index is the only key.
        // oxlint-disable-next-line react/no-array-index-key
        <text key={at}>
          {line.map((word, index) => (
            // As above, within the line.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {/* Between words, to copy and to find them: it has no place of its own. */}
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
