import { Fragment } from 'react';
import styles from './title-phrases.module.css';

/** Where a Chinese title may break best: before 与 (not that of 参与) and 暨, and behind a colon. Browsers do not know Chinese words. */
const BORDERS = /(?<=[^参])(?=与)|(?=暨)|(?<=：)/u;

/** A title as phrases: a line ends between them, and inside one only where it does not fit a line of its own. */
export function TitlePhrases({ text }: { text: string }) {
  return (
    <span className={styles['phrases']}>
      {text.split(BORDERS).map((phrase, index) => (
        // The phrases of a title never change their order.
        <Fragment key={`${index}${phrase}`}>
          {index > 0 && <wbr />}
          {phrase}
        </Fragment>
      ))}
    </span>
  );
}
