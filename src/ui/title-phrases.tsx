import { Fragment } from 'react';
import styles from './title-phrases.module.css';

/** Where a Chinese title breaks best: before 与 (not that of 参与) and 暨, and behind a colon. Browsers do not know Chinese words. */
const BORDERS = /(?<!参)(?=与)|(?=暨)|(?<=：)/u;
const BEGINS_WITH_BORDER = /^[与暨]/u;

/** A title as phrases: a line ends between them, and inside one only where it does not fit a line of its own. */
export function TitlePhrases({ text }: { text: string }) {
  return (
    <span className={styles['phrases']}>
      <Phrases text={text} />
    </span>
  );
}

/** The phrases of `text`, a part of a title. `isContinued`: another part of the title stands before it. */
export function Phrases({ text, isContinued = false }: { text: string; isContinued?: boolean }) {
  return text.split(BORDERS).map((phrase, index) => (
    <Fragment key={index}>
      {(index > 0 || (isContinued && BEGINS_WITH_BORDER.test(text))) && <wbr />}
      {phrase}
    </Fragment>
  ));
}
