import { useEffect, useRef, type CSSProperties } from 'react';
import styles from './thumbnails.module.css';
import type { PreviewPage } from './use-preview-pages.ts';
import { pageHash } from './use-wanted-page.ts';

/**
 * Thumbnails as links to the pages; the page being read is marked and kept in view. They are background images, so that
 * a strip that fails to load leaves numbered cells and no broken images.
 */
export function ThumbnailRail(props: { pages: PreviewPage[]; strip: string; current: number; color: string }) {
  const { pages, current } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const rail = list.current;
    const item = rail?.children[current - 1];
    if (!rail || !(item instanceof HTMLElement)) return;
    const top = item.offsetTop - rail.offsetTop;
    const isAbove = top < rail.scrollTop;
    const isBelow = top + item.offsetHeight > rail.scrollTop + rail.clientHeight;
    // Not scrollIntoView: that would move the page as well.
    if (isAbove || isBelow) rail.scrollTop = top - rail.clientHeight / 2 + item.offsetHeight / 2;
  }, [current]);
  return (
    <nav className={styles['rail']} data-screen aria-label="页面缩略图">
      <ol ref={list}>
        {pages.map((page) => (
          <li key={page.number}>
            <a
              href={pageHash(page.number)}
              aria-label={`第 ${page.number} 页`}
              aria-current={page.number === current ? 'page' : undefined}
            >
              <PageThumbnail number={page.number} strip={props.strip} count={pages.length} color={props.color} />
              <span>{page.number}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/**
 * A small page, cut out of the strip, or a tinted cell without a strip. The strip is a background image, so that a
 * strip that fails to load leaves no broken image. Decorative: label the control that holds the thumbnail.
 */
export function PageThumbnail(props: { number: number; strip: string; count: number; color: string }) {
  const tint = props.color ? { backgroundColor: `${props.color}26` } : {};
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
