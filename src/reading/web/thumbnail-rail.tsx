import { useEffect, useRef, type CSSProperties } from 'react';
import styles from './thumbnail-rail.module.css';
import type { PreviewPage } from './use-preview-pages.ts';

/**
 * Small pages as links to the large ones; the page now being read is marked and kept in sight. They are backgrounds, so that a strip
 * that fails to load leaves quiet numbered cells and no broken images.
 */
export function ThumbnailRail(props: { pages: PreviewPage[]; strip: string; current: number; color: string }) {
  const { pages, current } = props;
  // Documents from before the strips have none: large pages in so small a place would cost more than the page itself.
  const tint = { backgroundColor: `${props.color || '#ece6dc'}26` };
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
    <nav className={styles['rail']} aria-label="页面缩略图">
      <ol ref={list}>
        {pages.map((page) => (
          <li key={page.number}>
            <a
              href={`#p${page.number}`}
              aria-label={`第 ${page.number} 页`}
              aria-current={page.number === current ? 'page' : undefined}
            >
              <i
                className={styles['cell']}
                style={props.strip ? cellOf(props.strip, page.number, pages.length) : tint}
              />
              <span>{page.number}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
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
