import { useId, type KeyboardEvent, type ReactNode } from 'react';
import styles from './tabs.module.css';

export type Tab<T extends string> = { value: T; label: string };

/**
 * Tabs with the keyboard of the ARIA pattern (arrows, Home, End). Only the selected panel is mounted. `line` underlines
 * the selected tab, `pill` is for tabs inside tabs.
 */
export function Tabs<T extends string>(props: {
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
  /** Label of the row of tabs for screen readers. */
  label: string;
  look?: 'line' | 'pill';
  children: (value: T) => ReactNode;
}) {
  const { tabs, value, onChange, look = 'line' } = props;
  const id = useId();
  const tabId = (each: T) => `${id}-${each}`;
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = target === undefined ? undefined : tabs.at(target % tabs.length);
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(tabId(next.value))?.focus();
  };
  // One alone is no choice.
  const isChoice = tabs.length > 1;
  return (
    <div>
      {isChoice && (
        <div role="tablist" aria-label={props.label} className={styles[look]}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={tabId(tab.value)}
              className={styles['tab']}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
            >
              {tab.label}
            </button>
          ))}
        </div>
      )}
      <div
        key={value}
        className={styles['panel']}
        {...(isChoice && { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': tabId(value) })}
      >
        {props.children(value)}
      </div>
    </div>
  );
}
