import { Button } from '../../ui/button.tsx';
import { useImageFailure } from '../../ui/use-image-failure.ts';
import styles from './page-image.module.css';
import type { PreviewPage } from './use-preview-pages.ts';

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
