import { lazy, Suspense, type ReactNode } from 'react';
import type { DrawingName } from './drawing.tsx';
import styles from './empty.module.css';

/** Most pages show no drawing. Without the network, where the drawing cannot be loaded, its place stays empty. */
const Drawing = lazy(() =>
  import('./drawing.tsx').then(
    (module) => ({ default: module.Drawing }),
    () => ({ default: Place }),
  ),
);

const Place = () => <svg width="144" height="108" aria-hidden="true" />;

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
      <Suspense fallback={<Place />}>
        <Drawing name={props.drawing ?? 'shelf'} />
      </Suspense>
      <Heading className={styles['title']}>{props.title}</Heading>
      {props.text && <p className={styles['text']}>{props.text}</p>}
      {props.children && <div className={styles['ways']}>{props.children}</div>}
    </div>
  );
}

/** The empty state of a section within a page: one sentence in a dashed frame. */
export function EmptySection({ text }: { text: string }) {
  return <p className={styles['section']}>{text}</p>;
}
