import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import styles from './legal-form.module.css';

/** Replaces a form that was sent: shows the receipt number to keep, and the next steps. */
export function Receipt(props: {
  title: string;
  number: string;
  children: ReactNode;
  again: string;
  onAgain: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className={styles['receipt']} role="status" tabIndex={-1}>
      <p className={styles['done']}>{props.title}</p>
      <p className={styles['number']}>
        <span>回执号</span>
        <b>{props.number}</b>
        <CopyButton value={props.number} label="复制回执号" />
      </p>
      <div className={styles['next']}>{props.children}</div>
      <Button onClick={props.onAgain}>{props.again}</Button>
    </div>
  );
}
