import { Fragment } from 'react';
import styles from './title-phrases.module.css';

/** What a document is called at the end of its title, with the word before it: 执行手册, 策划方案. */
const KIND = '\\p{Script=Han}{2}(?:方案|手册|规划|报告|全案|提案)$';
/** Where a Chinese title breaks best: before 与 (not that of 参与), 暨 and its kind, and behind a colon. Browsers do not know Chinese words. */
const BORDERS = new RegExp(`(?<!参)(?=与)|(?=暨)|(?<=：)|(?<![与暨])(?=${KIND})`, 'u');
const BEGINS_WITH_BORDER = new RegExp(`^(?:[与暨]|${KIND})`, 'u');

/** The phrases that a title is made of. */
export const phrasesOf = (text: string): string[] => text.split(BORDERS);

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
  return phrasesOf(text).map((phrase, index) => (
    <Fragment key={index}>
      {(index > 0 || (isContinued && BEGINS_WITH_BORDER.test(text))) && <wbr />}
      {phrase}
    </Fragment>
  ));
}
