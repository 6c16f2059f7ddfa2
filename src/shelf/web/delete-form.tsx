import { useSending } from '../../accounts/web/login/use-sending.ts';
import { Button } from '../../ui/controls/button.tsx';
import styles from '../../ui/controls/form.module.css';
import { removeChosen, type Chosen } from './chosen-favorites.ts';

type Ends = { onClose: () => void; onDone: () => Promise<void> };

/** Asks before something is deleted. `remove` returns whether it was. */
export function DeleteForm(props: Ends & { question: string; action: string; remove: () => Promise<boolean> }) {
  const { isSending, send } = useSending();
  const remove = send(async () => {
    if (await props.remove()) await props.onDone();
  });
  return (
    <form className={styles['form']} onSubmit={remove}>
      <p>{props.question}</p>
      <div className={styles['ways']}>
        <Button size="large" onClick={props.onClose}>
          保留
        </Button>
        <Button type="submit" look="primary" size="large" disabled={isSending}>
          {props.action}
        </Button>
      </div>
    </form>
  );
}

/** Asks before favourites are removed. */
export const RemoveForm = ({ items, ...ends }: Ends & { items: Chosen }) => (
  <DeleteForm
    question={`取消收藏这 ${items.length} 项？备注会一并删除，不能恢复。`}
    action="取消收藏"
    remove={() => removeChosen(items)}
    {...ends}
  />
);
