import { useEffect, useState, type RefObject } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { useImageFailure } from '../../../ui/pictures/use-image-failure.ts';
import styles from './page-image.module.css';
import { pageName } from '../../preview-pages.ts';
import type { PreviewPage } from './use-preview-pages.ts';

/**
 * Width of a page in the column of the detail page (728 px at most), stated a quarter wider: Chromium takes the smaller of two images
 * until the geometric mean of both is passed, and 1,280 pixels would be enlarged on screens of double density.
 */
const COLUMN_SIZES = '(max-width: 1023px) 125vw, (max-width: 1247px) calc(125vw - 590px), 910px';

/** One page at its exact proportions from the start. A press opens the viewer; a page that fails offers a retry. */
export function PageImage(props: {
  page: PreviewPage;
  /** The page's title in the outline; "" without one. */
  title: string;
  /** `#rrggbb` under the page while it loads. */
  color: string;
  isLazy: boolean;
  /** Null in the viewer, where a press has another meaning. */
  onOpen: (() => void) | null;
  /** The width of the page as the `sizes` attribute of an image; by default its width in the column. */
  sizes?: string;
  onRetry: () => void;
}) {
  const { page } = props;
  const { image, isFailed, onError, retry } = useImageFailure(page.src);
  const { srcSet, onLoad, dropLarge } = useLargeImage(page, image);
  const frame = {
    aspectRatio: `${page.width} / ${page.height}`,
    backgroundColor: props.color && `${props.color}26`,
  };

  if (isFailed || page.hasFailed) {
    return (
      <div className={styles['failed']} style={frame}>
        <p>第 {page.number} 页没有加载出来</p>
        <Button
          size="small"
          onClick={({ currentTarget }) => {
            // The button goes with the press, and the keys of a stage with its focus.
            currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus();
            retry();
            props.onRetry();
          }}
        >
          重试
        </Button>
      </div>
    );
  }
  if (page.src === '') return <div className={styles['still']} style={frame} role="img" aria-label="正在打开这一页" />;
  const picture = (
    <img
      ref={image}
      // Must come before src, or Safari fetches the file of src as well.
      srcSet={srcSet}
      sizes={srcSet && (props.sizes ?? COLUMN_SIZES)}
      src={page.src}
      alt={pageName(page.number, props.title)}
      width={page.width}
      height={page.height}
      loading={props.isLazy ? 'lazy' : 'eager'}
      decoding="async"
      draggable={false}
      onLoad={onLoad}
      onError={() => {
        if (!dropLarge()) onError();
      }}
    />
  );
  if (!props.onOpen) {
    return (
      <div className={styles['still']} style={frame}>
        {/* A page after the preview is drawn when it is first asked for, which may take a second. */}
        {page.thumbnail !== undefined && <p className={styles['drawing']}>正在打开第 {page.number} 页…</p>}
        {picture}
      </div>
    );
  }
  return (
    <button type="button" className={styles['frame']} style={frame} onClick={props.onOpen}>
      {picture}
      <span className="visually-hidden">，全屏查看</span>
    </button>
  );
}

/**
 * Returns the `srcset` of a page once its normal image is there: the large one, which the server may still have to draw, then
 * takes its place on screens that show more pixels, and the page is seen meanwhile. `dropLarge` goes back to the normal
 * image when the large one has failed; it returns false when the normal image is the one that failed.
 */
function useLargeImage({ src, srcSet }: PreviewPage, image: RefObject<HTMLImageElement | null>) {
  const [stage, setStage] = useState({ src: '', isLarge: false });
  const isLarge = stage.src === src && stage.isLarge;
  const onLoad = () => setStage((now) => (now.src === src ? now : { src, isLarge: true }));
  useEffect(() => {
    // The image may have been loaded before this script was.
    const { complete, naturalWidth } = image.current ?? { complete: false, naturalWidth: 0 };
    if (complete && naturalWidth > 0) setStage((now) => (now.src === src ? now : { src, isLarge: true }));
  }, [src, image]);
  const dropLarge = () => {
    if (isLarge) setStage({ src, isLarge: false });
    return isLarge;
  };
  return { srcSet: isLarge ? srcSet : undefined, onLoad, dropLarge };
}
