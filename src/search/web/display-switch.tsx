import { GridIcon, ListIcon } from '../../ui/icons.tsx';
import { setDisplay, useDisplay } from './display.ts';
import styles from './display-switch.module.css';

/** Cards or rows, remembered in this browser (C-101). */
export function DisplaySwitch() {
  const display = useDisplay();
  return (
    <div className={styles['switch']} role="group" aria-label="显示方式">
      <button
        type="button"
        className="touch-target"
        aria-pressed={display === 2}
        title="预览显示"
        aria-label="预览显示"
        onClick={() => setDisplay(2)}
      >
        <GridIcon size={18} />
      </button>
      <button
        type="button"
        className="touch-target"
        aria-pressed={display === 1}
        title="列表显示"
        aria-label="列表显示"
        onClick={() => setDisplay(1)}
      >
        <ListIcon size={18} />
      </button>
    </div>
  );
}
