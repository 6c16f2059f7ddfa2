import type { ReactNode } from 'react';
import { Drawing, type DrawingName } from './drawing.tsx';
import styles from './empty.module.css';

/** An empty or failed state: a line drawing, one sentence, and a way on (`children`: links and buttons). */
export function Empty(props: {
  title: string;
  text?: ReactNode;
  drawing?: DrawingName;
  /** `h1` on pages that show only this state. */
  heading?: 'h1' | 'h2' | 'p';
  children?: ReactNode;
}) {
  const Heading = props.heading ?? 'p';
  return (
    <div className={styles['empty']}>
      <Drawing name={props.drawing ?? 'shelf'} />
      <Heading className={styles['title']}>{props.title}</Heading>
      {props.text && <p className={styles['text']}>{props.text}</p>}
      {props.children && <div className={styles['ways']}>{props.children}</div>}
    </div>
  );
}
