import type { CSSProperties } from 'react';
import styles from './page-thumbnail.module.css';

/**
 * A small page, cut out of the strip, or a tinted cell without a strip. The strip is a background image, so that a
 * strip that fails to load leaves no broken image. Decorative: label the control that holds the thumbnail.
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

/** Returns the part of the strip that shows a page; its cells are one below the other. */
function cellOf(strip: string, number: number, count: number): CSSProperties {
  return {
    backgroundImage: `url("${strip}")`,
    backgroundSize: `100% ${count * 100}%`,
    backgroundPosition: `0 ${count > 1 ? ((number - 1) / (count - 1)) * 100 : 0}%`,
  };
}
