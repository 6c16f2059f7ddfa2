import type { CollectionItem } from '../contract.ts';
import styles from './collection-facts.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

type Facts = Pick<CollectionItem, 'file_count' | 'update_text' | 'tag'>;

/** How many documents a collection has, when it last changed, and its tags. */
export function CollectionFacts({ collection }: { collection: Facts }) {
  return (
    <span className={styles['row']}>
      <span className={styles['facts']}>
        <span>{formatNumber(collection.file_count)} 份方案</span>
        <span>{collection.update_text}</span>
      </span>
      {collection.tag
        .split(',')
        .filter(Boolean)
        .map((tag) => (
          <span key={tag} className={styles['tag']}>
            {tag}
          </span>
        ))}
    </span>
  );
}
