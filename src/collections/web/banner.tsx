import { Cover } from '../../ui/pictures/cover.tsx';
import type { CollectionItem } from '../contract.ts';
import styles from './banner.module.css';

/**
 * The banner of a collection, composed of the covers of its first documents: one large and two small make 8:3 without cutting any.
 * Two stand side by side, one fills the banner, and without any there is the plain glyph of a missing cover.
 */
export function Banner(props: {
  covers: CollectionItem['covers'];
  /** The `sizes` attribute of the large cover; a small cover has half its width. */
  sizes: { large: string; small: string };
  /** The banner is above the fold: its covers load at once. */
  isPriority?: boolean;
}) {
  const covers = props.covers.length > 0 ? props.covers : [{ share_url: '', cover_srcset: '', cover_color: '' }];
  return (
    <span className={styles['banner']} data-covers={covers.length}>
      {covers.map((cover, index) => (
        <Cover
          key={cover.share_url}
          className={styles['tile']}
          src={cover.share_url}
          srcSet={cover.cover_srcset}
          sizes={index === 0 ? props.sizes.large : props.sizes.small}
          color={cover.cover_color}
          isPriority={props.isPriority ?? false}
        />
      ))}
    </span>
  );
}
