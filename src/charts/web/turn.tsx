import { Button } from '../../ui/controls/button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/pictures/icons.tsx';
import styles from './chart-dialog.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

/** The buttons to the previous and the next chart in a dialog, with the position of the chart shown, from 1. A null `onBack` or `onNext`: there is no chart on that side. */
export function Turn(props: {
  position: number;
  total: number;
  onBack: (() => void) | null;
  onNext: (() => void) | null;
}) {
  const { onBack, onNext } = props;
  return (
    <div className={styles['turn']}>
      <Button size="small" look="plain" aria-label="上一张图表" disabled={!onBack} onClick={() => onBack?.()}>
        <ChevronLeftIcon size={18} />
      </Button>
      <span aria-live="polite">
        {props.position} / {formatNumber(props.total)}
      </span>
      <Button size="small" look="plain" aria-label="下一张图表" disabled={!onNext} onClick={() => onNext?.()}>
        <ChevronRightIcon size={18} />
      </Button>
    </div>
  );
}
