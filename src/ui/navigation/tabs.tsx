import { Tabs as MantineTabs } from '@mantine/core';
import type { ReactNode } from 'react';
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
  const look = props.look ?? 'line';
  const choose = (value: string | null) => {
    const tab = props.tabs.find((each) => each.value === value);
    if (tab) props.onChange(tab.value);
  };
  return (
    <MantineTabs
      unstyled
      value={props.value}
      onChange={choose}
      keepMounted={false}
      classNames={{ list: styles[look] ?? '', tab: styles['tab'] ?? '', panel: styles['panel'] ?? '' }}
    >
      {/* One alone is no choice. */}
      {props.tabs.length > 1 && (
        <MantineTabs.List aria-label={props.label}>
          {props.tabs.map((tab) => (
            <MantineTabs.Tab key={tab.value} value={tab.value}>
              {tab.label}
            </MantineTabs.Tab>
          ))}
        </MantineTabs.List>
      )}
      {props.tabs.map((tab) => (
        <MantineTabs.Panel key={tab.value} value={tab.value}>
          {props.children(tab.value)}
        </MantineTabs.Panel>
      ))}
    </MantineTabs>
  );
}
