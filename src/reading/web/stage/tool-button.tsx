import type { ComponentProps } from 'react';
import styles from './tool-button.module.css';

/**
 * A button with an icon alone, on the dark areas around pages; `label` is its name. `slim` stands beside a number, `small` is for bars
 * over a page and grows on phones, `round` stands alone over a page.
 */
export function ToolButton({
  label,
  shape,
  ...rest
}: Omit<ComponentProps<'button'>, 'type' | 'aria-label'> & { label: string; shape?: 'slim' | 'small' | 'round' }) {
  const className = rest.className ? `${styles['tool']} ${rest.className}` : styles['tool'];
  return <button {...rest} type="button" aria-label={label} data-shape={shape} className={className} />;
}
