import type { ReactNode } from 'react';
import type { CardItem } from './card-item.ts';
import { Cover } from '../../ui/pictures/cover.tsx';
import { Highlighted, plainName } from '../../ui/text/highlight.tsx';
import { MiB, priceText, sizeText } from '../../ui/text/format-text.ts';
import { Phrases } from '../../ui/text/line-breaks.tsx';
import styles from './document-card.module.css';

/**
 * Widths of a cover in a DocumentGrid, stated a fifth too wide: Chromium takes the smaller of two images up to the geometric mean of
 * their widths, so that covers would look soft on screens of double density.
 */
const GRID_SIZES = '(max-width: 767px) 60vw, (max-width: 1023px) 40vw, 350px';

/**
 * A document in a grid: cover, title of at most two lines, type · pages · price. The whole card is one link that opens the detail page
 * in a new tab (C-22). DocumentGrid keeps the rows of cards even.
 */
export function DocumentCard(props: {
  item: CardItem;
  /** The name comes from search: escaped, with hits in `<em>` (C-10). */
  isMarkup?: boolean;
  /** The card is above the fold: the cover loads at once. */
  isPriority?: boolean;
  /** Adds size, organization and date, for a grid that can switch to rows. */
  isDetailed?: boolean;
  /** Shows the tag 新 (newestOf). */
  isNewest?: boolean;
  /** The reader owns the document: 已购 replaces the price. */
  isOwned?: boolean;
  /** Heading level of the title, `h3` by default. */
  heading?: 'h2' | 'h3' | 'h4';
  /** A button in the corner of the cover. It stands beside the link, because a link holds no button. */
  action?: ReactNode;
}) {
  const { item } = props;
  const Heading = props.heading ?? 'h3';
  const name = props.isMarkup ? plainName(item.name) : item.name;
  const card = (
    <a className={styles['card']} href={`/detail/${item.id}`} target="_blank" rel="noopener" title={name}>
      <span className={styles['frame']}>
        <Cover
          src={item.share_url}
          srcSet={item.cover_srcset}
          sizes={GRID_SIZES}
          color={item.cover_color}
          isPriority={props.isPriority ?? false}
        />
        {props.isNewest && <span className={styles['new']}>新</span>}
      </span>
      <Heading className={styles['title']}>
        {props.isMarkup ? <Highlighted markup={item.name} /> : <Phrases text={item.name} />}
      </Heading>
      <span className={styles['facts']}>
        <span>{item.file_type_text}</span>
        {item.page_count > 0 ? <span>{item.page_count} 页</span> : <span className={styles['rowOnly']} />}
        {props.isDetailed && (
          <>
            <span className={styles['rowOnly']}>{sizeText(item.size * MiB)}</span>
            <span className={`${styles['rowOnly']} ${styles['organization']}`}>{item.organization.name}</span>
            <span className={styles['rowOnly']}>{item.time_text}</span>
          </>
        )}
        <span className={styles['cost']}>
          <Cost item={item} isOwned={props.isOwned ?? false} />
        </span>
      </span>
    </a>
  );
  if (!props.action) return card;
  return (
    <div className={styles['holder']}>
      {card}
      <span className={styles['action']}>{props.action}</span>
    </div>
  );
}

/** Shows the price for this reader, or 仅供预览 for a file that nobody can download. */
function Cost({ item, isOwned }: { item: CardItem; isOwned: boolean }) {
  if (item.preview_only === 1) return <span>仅供预览</span>;
  if (isOwned && item.price > 0) return <span className={styles['owned']}>已购</span>;
  return (
    <>
      <span className={item.price === 0 ? styles['free'] : styles['price']}>{priceText(item.price)}</span>
      {item.price > 0 && <span className={styles['vip']}>VIP 免费</span>}
    </>
  );
}

/** An empty card of the final size. `isStill`: without the loading animation. */
export function DocumentCardSkeleton({ isStill }: { isStill?: boolean }) {
  return (
    <div className={styles['card']} aria-hidden="true" data-skeleton={isStill ? 'still' : ''}>
      <span className={styles['frame']}>
        <span className={styles['blank']} />
      </span>
      <span className={styles['title']}>
        <span className={styles['stroke']} />
        <span className={styles['stroke']} />
      </span>
      <span className={styles['facts']}>
        <span className={styles['stroke']}>&nbsp;</span>
        <span className={`${styles['stroke']} ${styles['priceStroke']}`}>&nbsp;</span>
      </span>
    </div>
  );
}
