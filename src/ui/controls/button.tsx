import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';

type Look = {
  /** At most one `primary` per view; `quiet` has an outline, `plain` none, `gold` is for membership only. */
  look?: 'primary' | 'quiet' | 'plain' | 'gold';
  /** Heights of 32, 40 (default) and 48 px. */
  size?: 'small' | 'large';
};

function classes({ look = 'quiet', size }: Look, extra?: string): string {
  return ['touch-target', styles['button'], styles[look], size && styles[size], extra].filter(Boolean).join(' ');
}

export function Button({ look, size, className, ...rest }: Look & ComponentProps<'button'>) {
  return <button type="button" {...rest} className={classes({ look, size }, className)} />;
}

/** A real link that looks like a button. `to` as in React Router; `target="_blank"` opens a new tab safely. */
export function LinkButton({ look, size, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link {...blankSafe(rest)} className={classes({ look, size }, className)} />;
}

function blankSafe<P extends { target?: string | undefined; rel?: string | undefined }>(props: P): P {
  return props.target === '_blank' ? { ...props, rel: 'noopener' } : props;
}
