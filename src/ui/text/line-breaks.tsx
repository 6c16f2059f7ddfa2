import { Fragment, type ReactNode } from 'react';
import styles from './line-breaks.module.css';

/** Kinds of documents at the end of a title, with the word before: 执行手册, 策划方案, 全案策划; 策划案, which follows words of any length. */
const KIND = '(?:\\p{Script=Han}{2}(?:方案|手册|规划|报告|全案|提案|(?<=全案)策划)|策划案)$';
/**
 * Places where a Chinese title may break: before 与 (not the one in 参与), 暨 and similar, and after a colon. Browsers do
 * not know Chinese words.
 */
const BORDERS = new RegExp(`(?<!参)(?=与)|(?=暨)|(?<=：)|(?<![与暨])(?=${KIND})`, 'u');
const BEGINS_WITH_BORDER = new RegExp(`^(?:[与暨]|${KIND})`, 'u');

/** Splits a title into phrases. */
export const phrasesOf = (text: string): string[] => text.split(BORDERS);

/**
 * Renders a title as phrases: lines end between phrases, and inside a phrase only when it does not fit on a line. A
 * title of one phrase breaks anywhere, so that its lines can be balanced: it would leave one character on a line.
 */
export function TitlePhrases({ text }: { text: string }) {
  return (
    <span className={phrasesOf(text).length > 1 ? styles['phrases'] : undefined}>
      <Phrases text={text} />
    </span>
  );
}

/** Splits a part of a title into phrases. `isContinued`: another part of the title comes before this part. */
export function Phrases({ text, isContinued = false }: { text: string; isContinued?: boolean }) {
  return phrasesOf(text).map((phrase, index) => (
    <Fragment key={index}>
      {(index > 0 || (isContinued && BEGINS_WITH_BORDER.test(text))) && <wbr />}
      <WithWholeEnd text={phrase} />
    </Fragment>
  ));
}

/** Chinese text of some length whose last two characters stay on one line: a single one would be alone on the next. */
const LONG_ENOUGH = /^(.*\p{Script=Han}{2})(\p{Script=Han}{2})$/su;

function WithWholeEnd({ text }: { text: string }) {
  const [, before, end] = LONG_ENOUGH.exec(text) ?? [];
  if (before === undefined) return text;
  return (
    <>
      {before}
      <span className={styles['end']}>{end}</span>
    </>
  );
}

const Whole = ({ children }: { children: ReactNode }) => <span style={{ display: 'inline-block' }}>{children}</span>;

/** Renders a sentence that breaks only after its commas, so that a date or a name stays whole. A clause that is too long for a line breaks at its spaces. */
export function Clauses({ text }: { text: string }) {
  return text.split(/(?<=，)/).map((clause) => (
    <Whole key={clause}>
      {clause.includes(' ')
        ? clause.split(' ').map((word, index) => (
            <Fragment key={index}>
              {index > 0 && ' '}
              <Whole>{word}</Whole>
            </Fragment>
          ))
        : clause}
    </Whole>
  ));
}
