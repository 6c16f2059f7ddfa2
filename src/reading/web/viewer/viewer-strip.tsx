import { useEffect, useRef } from 'react';
import { pageName } from '../../preview-pages.ts';
import { useImageFailure } from '../../../ui/pictures/use-image-failure.ts';
import { PageThumbnail } from '../pages/thumbnails.tsx';
import type { PreviewPage } from '../pages/use-preview-pages.ts';
import styles from './viewer-strip.module.css';

/** Thumbnails at the lower edge of the viewer: a press goes to the page, and the page shown stays in the middle. */
export function ViewerStrip(props: {
  pages: PreviewPage[];
  strip: string;
  color: string;
  current: number;
  /** Number of pages whose thumbnails are in the strip. */
  previews: number;
  titles: ReadonlyMap<number, string>;
  onTurn: (number: number) => void;
}) {
  const { pages, current } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const item = list.current?.children[Math.min(current, pages.length) - 1];
    if (!list.current || !(item instanceof HTMLElement)) return;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.current.scrollTo({
      left: item.offsetLeft - (list.current.clientWidth - item.offsetWidth) / 2,
      behavior: isStill ? 'auto' : 'smooth',
    });
  }, [current, pages.length]);
  if (pages.length < 2) return <div className={styles['none']} />;
  return (
    <nav className={styles['strip']} aria-label="页面缩略图">
      <ol ref={list}>
        {pages.map((page) => (
          <li key={page.number}>
            <button
              type="button"
              aria-label={pageName(page.number, props.titles.get(page.number) ?? '')}
              aria-current={page.number === current ? 'page' : undefined}
              onClick={() => props.onTurn(page.number)}
            >
              {page.number <= props.previews ? (
                <span className={styles['page']}>
                  <i>{page.number}</i>
                  <PageThumbnail number={page.number} strip={props.strip} count={props.previews} color={props.color} />
                </span>
              ) : (
                <PageOfDeck page={page} />
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The thumbnail of a page after the preview, loaded when it comes near; its number until then, and when it fails. */
function PageOfDeck({ page }: { page: PreviewPage }) {
  const { thumbnail = '' } = page;
  const { image, isFailed, onError } = useImageFailure(thumbnail);
  return (
    <span className={styles['page']}>
      <i>{page.number}</i>
      {thumbnail !== '' && !isFailed && (
        <img ref={image} src={thumbnail} alt="" loading="lazy" decoding="async" onError={onError} />
      )}
    </span>
  );
}
