import { detailPath } from '../../../library/addresses.ts';
import { DocumentCard } from '../../../library/web/document-card.tsx';
import { FavoriteButton } from '../../../shelf/web/favorite-button.tsx';
import { lackingWords } from '../../near-text.ts';
import { Highlighted, hitsOf, plainName } from '../../../ui/text/highlight.tsx';
import styles from './found-card.module.css';
import type { ShownItem } from './shown-answer.ts';

/**
 * A result: the document, and a link to the first page that contains the words, where they are marked. A partial match names the missing words, and
 * a match that name and pages do not show says where it is.
 */
export function FoundCard(props: { item: ShownItem; isPriority: boolean; isNewest: boolean; isOwned: boolean }) {
  const { item, ...card } = props;
  const [hit] = item.page_hits;
  const lacking = lackingWords(item);
  const document = (
    <DocumentCard
      {...card}
      item={item}
      isMarkup
      isDetailed
      heading="h2"
      action={<FavoriteButton target={{ type: 3, id: item.id }} name={plainName(item.name)} look="card" />}
    />
  );
  if (!hit && !item.reason && item.match === 'full') return document;
  return (
    <div className={styles['found']}>
      {document}
      {item.match === 'partial' && (
        <p className={styles['line']}>
          <b>部分符合</b>
          <span>{[item.reason, lacking.length > 0 && `缺：${lacking.join('、')}`].filter(Boolean).join('；')}</span>
        </p>
      )}
      {item.match === 'full' && item.reason && (
        <p className={styles['line']}>
          <b>符合</b>
          <span>{item.reason}</span>
        </p>
      )}
      {hit && (
        <a
          className={styles['line']}
          href={detailPath(item.id, { page: hit.page, words: hitsOf(hit.snippet) })}
          target="_blank"
          rel="noopener"
        >
          <b>第 {hit.page} 页</b>
          <span>
            <Highlighted markup={hit.snippet} />
          </span>
        </a>
      )}
    </div>
  );
}
