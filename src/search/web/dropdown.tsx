import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import styles from './dropdown.module.css';

/**
 * A button that shows a panel of links under it: a `details`, so that it opens without scripts too. With them it closes
 * on a choice, on Esc (both give the focus back to the button), when the focus goes on behind it, and on a press
 * anywhere else. One at a time.
 */
export function Dropdown(props: {
  /** What it chooses, e.g. 活动类型. */
  label: string;
  /** What is chosen; null while nothing is. */
  value: string | null;
  /** The panel's shape: one column, or several of them. */
  columns?: 1 | 2 | 4;
  /** Always has a value: nothing to point out. */
  isPlain?: boolean;
  /** The panel ends where the button ends. */
  isAtEnd?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: PointerEvent) => {
      const element = details.current;
      if (element?.open && event.target instanceof Node && !element.contains(event.target)) element.open = false;
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, []);
  const closeAndReturn = () => {
    const element = details.current;
    if (!element?.open) return;
    element.open = false;
    element.querySelector('summary')?.focus();
  };
  const onChoice = (event: MouseEvent) => {
    // The link prevents the browser's own way exactly when it goes there itself: not for a new tab.
    if (event.defaultPrevented) closeAndReturn();
  };
  return (
    <details
      ref={details}
      name="report-filter"
      className={[styles['dropdown'], props.className].filter(Boolean).join(' ')}
      data-chosen={(props.value !== null && !props.isPlain) || undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeAndReturn();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Without a next target the window itself lost the focus: the reader comes back to what was open.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary
        className={styles['button']}
        aria-label={props.value === null ? props.label : `${props.label}：${props.value}`}
      >
        <span className={styles['text']}>{props.value ?? props.label}</span>
        <ChevronDownIcon size={16} />
      </summary>
      <div
        className={styles['panel']}
        data-columns={props.columns ?? 1}
        data-end={props.isAtEnd || undefined}
        onClick={onChoice}
      >
        {props.children}
      </div>
    </details>
  );
}
