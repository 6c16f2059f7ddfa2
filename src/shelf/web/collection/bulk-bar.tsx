import { Button } from '../../../ui/controls/button.tsx';
import styles from './bulk-bar.module.css';

/** The bar of actions on the chosen items, at the lower edge of the window. */
export function BulkBar(props: { count: number; onMove: () => void; onRemove: () => void; onClear: () => void }) {
  return (
    <div className={styles['bar']} role="group" aria-label="批量操作">
      <p role="status">
        已选 <b>{props.count}</b> 项
      </p>
      <Button look="primary" onClick={props.onMove}>
        移动到
      </Button>
      <Button onClick={props.onRemove}>取消收藏</Button>
      <Button look="plain" onClick={props.onClear}>
        取消选择
      </Button>
    </div>
  );
}
