import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { ChevronDownIcon } from '../../../ui/pictures/icons.tsx';
import styles from './dropdown.module.css';

/**
 * A button with a panel of links: a `details` element, so that it opens without scripts too. With scripts it closes on a choice and on
 * Esc (both return the focus to the button), when the focus leaves it, and on a press elsewhere. One dropdown is open at a time.
 */
export function Dropdown(props: {
  /** Name of the filter, e.g. 活动类型. */
  label: string;
  /** Chosen value; null without a choice. */
  value: string | null;
  /** Number of columns of the panel. */
  columns?: 1 | 2 | 4;
  /** The dropdown always has a value, which is not emphasized. */
  isPlain?: boolean;
  /** Aligns the panel with the end of the button. */
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
    // React Router's Link prevents the default only when it navigates itself, not for a new tab.
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
        // Without a relatedTarget the window lost the focus: the panel stays open.
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
