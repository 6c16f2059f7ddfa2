import type { FormEvent, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import styles from '../controls/form.module.css';

/** A question in a dialog, with a button that leaves all as it is and one that does what the question says. */
export function ConfirmForm(props: {
  question: ReactNode;
  /** The label of the button that closes the dialog, which says what stays: 保留. */
  cancel: string;
  /** The label of the button that submits, which names the action: 删除. */
  confirm: string;
  isSending: boolean;
  onConfirm: (event: FormEvent) => void;
  onClose: () => void;
}) {
  return (
    <form className={styles['form']} onSubmit={props.onConfirm}>
      <p>{props.question}</p>
      <div className={styles['ways']}>
        <Button size="large" onClick={props.onClose}>
          {props.cancel}
        </Button>
        <Button type="submit" look="primary" size="large" disabled={props.isSending}>
          {props.confirm}
        </Button>
      </div>
    </form>
  );
}
