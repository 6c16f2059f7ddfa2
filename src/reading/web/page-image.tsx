import { Button } from '../../ui/button.tsx';
import { useImageFailure } from '../../ui/use-image-failure.ts';
import styles from './page-image.module.css';
import type { PreviewPage } from './use-preview-pages.ts';

/**
 * Width of a page in the column of the detail page (728 px at most), stated a quarter wider: Chromium takes the smaller of two images
 * until the geometric mean of both is passed, and 1,280 pixels would be enlarged on screens of double density.
 */
const COLUMN_SIZES = '(max-width: 1023px) 125vw, (max-width: 1247px) calc(125vw - 590px), 910px';

/** One page at its exact proportions from the start. A press opens the viewer; a page that fails offers a retry. */
export function PageImage(props: {
  page: PreviewPage;
  /** `#rrggbb` under the page while it loads. */
  color: string;
  isLazy: boolean;
  onOpen: () => void;
  onRetry: () => void;
}) {
  const { page } = props;
  const { image, isFailed, onError, retry } = useImageFailure(page.src);
  const frame = { aspectRatio: `${page.width} / ${page.height}`, backgroundColor: `${props.color || '#ece6dc'}26` };

  if (isFailed) {
    return (
      <div className={styles['failed']} style={frame}>
        <p>第 {page.number} 页没有加载出来</p>
        <Button
          size="small"
          onClick={() => {
            retry();
            props.onRetry();
          }}
        >
          重试
        </Button>
      </div>
    );
  }
  return (
    <button type="button" className={styles['frame']} style={frame} onClick={props.onOpen}>
      <img
        ref={image}
        // Before src, or Safari fetches that one as well.
        srcSet={page.srcSet}
        sizes={page.srcSet && COLUMN_SIZES}
        src={page.src}
        alt={`第 ${page.number} 页`}
        width={page.width}
        height={page.height}
        loading={props.isLazy ? 'lazy' : 'eager'}
        decoding="async"
        onError={onError}
      />
      <span className="visually-hidden">，全屏查看</span>
    </button>
  );
}
