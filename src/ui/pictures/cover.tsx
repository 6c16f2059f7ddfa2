import styles from './cover.module.css';
import { Glyph } from './mark.tsx';
import { useImageFailure } from './use-image-failure.ts';

/**
 * A 16:9 cover, tinted with its own colour until the image is loaded; a plain glyph replaces a missing or broken image.
 * Fills the width of its parent. Give `alt` only when no title stands beside the cover.
 */
export function Cover(props: {
  /** Path of the image; "" when there is none. */
  src: string;
  /** The `srcset` and `sizes` attributes of the image. */
  srcSet?: string;
  sizes?: string;
  /** `#rrggbb`, shown while the image loads. */
  color?: string;
  alt?: string;
  /** For covers above the fold: loads at once instead of lazily. */
  isPriority?: boolean;
  className?: string | undefined;
}) {
  const { image, isFailed, onError } = useImageFailure(props.src);
  const isMissing = props.src === '' || isFailed;
  return (
    <span
      className={[styles['cover'], props.className].filter(Boolean).join(' ')}
      style={isMissing ? undefined : { backgroundColor: props.color || undefined }}
    >
      {isMissing ? (
        <span className={styles['missing']}>
          <Glyph size={48} />
        </span>
      ) : (
        <img
          ref={image}
          className={styles['image']}
          // Must come before src, or Safari fetches the file of src as well.
          srcSet={props.srcSet || undefined}
          sizes={props.srcSet ? props.sizes : undefined}
          src={props.src}
          alt={props.alt ?? ''}
          width={640}
          height={360}
          loading={props.isPriority ? 'eager' : 'lazy'}
          decoding="async"
          onError={onError}
        />
      )}
    </span>
  );
}
