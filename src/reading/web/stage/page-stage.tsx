import type { CSSProperties, ReactNode } from 'react';
import { RotateIcon } from '../../../ui/pictures/tool-icons.tsx';
import type { PageWord } from '../../contract.ts';
import { PageImage } from '../pages/page-image.tsx';
import { TextLayer } from '../pages/text-layer.tsx';
import type { PreviewPage } from '../pages/use-preview-pages.ts';
import type { HitBox } from '../pages/find-hits.ts';
import styles from './page-stage.module.css';
import { SLOT_GAP, type usePageGestures } from './use-page-gestures.ts';

/**
 * The page shown with its words over it, and its neighbours beside the stage for a swipe. `moves` comes from
 * usePageGestures. What follows the last page of a reader is `end`.
 */
export function PageStage(props: {
  pages: PreviewPage[];
  /** The page shown; the number after the last page is the end. */
  number: number;
  titles: ReadonlyMap<number, string>;
  words: PageWord[];
  /** Places that are marked on the page. */
  hits: readonly HitBox[];
  color: string;
  isZoomed: boolean;
  moves: ReturnType<typeof usePageGestures>;
  /** `sizes` of a page that is not zoomed. */
  sizesOf: (page: PreviewPage) => string;
  onRetry: () => void;
  /** Null where the reader may see every page. */
  end: ReactNode;
}) {
  const { pages, number, moves, isZoomed } = props;
  const page = pages[number - 1];
  const last = pages.length + (props.end === null ? 0 : 1);
  return (
    <div ref={moves.stage} tabIndex={-1} className={styles['stage']} data-zoomed={isZoomed || undefined}>
      <div ref={moves.track} className={styles['track']}>
        {pages
          .filter((each) => Math.abs(each.number - number) <= 1)
          .map((each) => (
            <div
              key={each.number}
              className={styles['slot']}
              style={slotOf(each.number - number)}
              aria-hidden={each.number !== number || undefined}
              inert={each.number !== number}
            >
              <div
                ref={each.number === number ? moves.current : undefined}
                className={styles['sheet']}
                // A custom property with the size that fits the stage, which only CSS knows.
                style={{ '--ratio': each.width / each.height } as CSSProperties}
              >
                <PageImage
                  page={each}
                  title={props.titles.get(each.number) ?? ''}
                  color={props.color}
                  isLazy={false}
                  onOpen={null}
                  sizes={each.number === number && isZoomed ? '400vw' : props.sizesOf(each)}
                  onRetry={props.onRetry}
                />
                {each.number === number && <TextLayer {...each} words={props.words} hits={props.hits} />}
              </div>
            </div>
          ))}
        {props.end !== null && number >= last - 1 && (
          <div className={styles['slot']} style={slotOf(last - number)} inert={number !== last}>
            <div className={styles['end']}>{props.end}</div>
          </div>
        )}
      </div>
      {page && page.width > page.height && (
        <p className={styles['hint']} aria-hidden="true">
          <RotateIcon size={18} /> 双指放大，横过手机看得更大
        </p>
      )}
    </div>
  );
}

const slotOf = (offset: number): CSSProperties => ({ left: `calc(${offset} * (100% + ${SLOT_GAP}px))` });
