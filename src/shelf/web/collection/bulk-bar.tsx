import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { Button } from '../../../ui/controls/button.tsx';
import styles from './bulk-bar.module.css';
import { removeChosen, type Chosen } from './collection-calls.ts';

/** The bar of actions on the chosen items, at the lower edge of the window. */
export function BulkBar(props: {
  items: Chosen;
  onMove: () => void;
  onClear: () => void;
  onDone: () => Promise<void>;
}) {
  const { isSending, send } = useSending();
  const remove = send(async () => {
    if (await removeChosen(props.items)) await props.onDone();
  });
  return (
    <form className={styles['bar']} aria-label="批量操作" onSubmit={remove}>
      <p role="status">
        已选 <b>{props.items.length}</b> 项
      </p>
      <Button look="primary" onClick={props.onMove}>
        移动到
      </Button>
      <Button type="submit" disabled={isSending}>
        取消收藏
      </Button>
      <Button look="plain" onClick={props.onClear}>
        取消选择
      </Button>
    </form>
  );
}
