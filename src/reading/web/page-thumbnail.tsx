import type { CSSProperties } from 'react';
import styles from './page-thumbnail.module.css';

/**
 * One page, small: cut out of the strip, a quiet tinted cell where there is none. It is a background, so that a strip that fails to
 * load leaves no broken image. Decorative: name what holds it.
 */
export function PageThumbnail(props: { number: number; strip: string; count: number; color: string }) {
  const tint = { backgroundColor: `${props.color || '#ece6dc'}26` };
  return (
    <i
      className={styles['cell']}
      style={props.strip ? cellOf(props.strip, props.number, props.count) : tint}
      aria-hidden="true"
    />
  );
}

/** The part of the strip that shows a page: its cells stand one below the other. */
function cellOf(strip: string, number: number, count: number): CSSProperties {
  return {
    backgroundImage: `url("${strip}")`,
    backgroundSize: `100% ${count * 100}%`,
    backgroundPosition: `0 ${count > 1 ? ((number - 1) / (count - 1)) * 100 : 0}%`,
  };
}
