import { useImageFailure } from '../../../ui/use-image-failure.ts';
import type { DocumentDetail } from '../../contract.ts';
import styles from './cover-stage.module.css';

/**
 * The uncropped cover on a background of its own colour: not all covers are wide, and older ones are small (480 px), so
 * they are neither cropped nor enlarged. Renders nothing without a cover.
 */
export function CoverStage({ detail }: { detail: DocumentDetail }) {
  const { image, isFailed, onError } = useImageFailure(detail.share_url);
  if (detail.share_url === '' || isFailed) return null;
  const ratio = (detail.cover_width || 16) / (detail.cover_height || 9);
  return (
    <div className={styles['matte']} style={{ backgroundColor: `${detail.cover_color || '#a29b8f'}24` }}>
      <img
        ref={image}
        className={styles['cover']}
        style={{
          aspectRatio: ratio,
          width: `min(100%, var(--cover-width), calc(var(--cover-height) * ${ratio.toFixed(4)}))`,
          backgroundColor: detail.cover_color || undefined,
        }}
        // Must come before src, or Safari fetches the file of src as well.
        srcSet={detail.cover_srcset || undefined}
        sizes={`(max-width: 767px) min(calc(100vw - 56px), ${Math.round(360 * ratio)}px), ${Math.round(Math.min(640, 440 * ratio))}px`}
        src={detail.share_url}
        alt={`${detail.name} 封面`}
        width={detail.cover_width || 480}
        height={detail.cover_height || 270}
        fetchPriority="high"
        onError={onError}
      />
    </div>
  );
}
