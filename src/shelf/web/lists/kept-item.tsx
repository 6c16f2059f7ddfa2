import type { ReactNode } from 'react';
import { Cover } from '../../../ui/pictures/cover.tsx';
import { MiB, sizeText } from '../../../ui/text/format-text.ts';
import { Phrases } from '../../../ui/text/line-breaks.tsx';
import type { KeptDocument } from '../../contract.ts';
import styles from './kept-item.module.css';

/** Layout of a list of documents: `cards` side by side, `rows` one below the other. */
export type KeptLook = 'cards' | 'rows';

/** Each child is a KeptItem or another item of the list, with a key. */
export function KeptList({ look, children }: { look: KeptLook; children: ReactNode }) {
  return (
    <ul className={styles['list']} data-look={look}>
      {children}
    </ul>
  );
}

/**
 * A document in a list of one user: cover, name, when it changed, pages and size, and `line` with what the list is about.
 * A document that left the library is grey and opens nothing (C-112). The detail page opens in a new tab.
 */
export function KeptItem(props: {
  document: Pick<
    KeptDocument,
    | 'fid'
    | 'name'
    | 'share_url'
    | 'cover_srcset'
    | 'cover_color'
    | 'file_type_text'
    | 'page_count'
    | 'size'
    | 'updateText'
    | 'is_new'
    | 'offline'
  >;
  line?: ReactNode;
  /** Page that the link opens; 0 for the first. */
  page?: number;
  /** A checkbox, at the left of the tools. */
  choice?: ReactNode;
  /** Note of the user, shown below the facts. */
  note?: string;
  tools?: ReactNode;
}) {
  const { document, line, page = 0 } = props;
  const isOffline = document.offline === 1;
  const inside = (
    <>
      <span className={styles['frame']}>
        <Cover
          src={document.share_url}
          srcSet={document.cover_srcset}
          sizes="(max-width: 767px) 50vw, 300px"
          color={document.cover_color}
        />
        {isOffline ? (
          <span className={styles['off']}>已下架</span>
        ) : (
          document.is_new === 1 && <span className={styles['new']}>新</span>
        )}
      </span>
      <span className={styles['text']}>
        <span className={styles['name']}>
          <Phrases text={document.name} />
        </span>
        <span className={styles['facts']}>
          <span>{document.file_type_text}</span>
          {document.page_count > 0 && <span>{document.page_count} 页</span>}
          <span>{sizeText(document.size * MiB)}</span>
          <span>{document.updateText}</span>
        </span>
        {line && <span className={styles['line']}>{line}</span>}
        {props.note && <span className={styles['note']}>{props.note}</span>}
      </span>
    </>
  );
  return (
    <li className={styles['item']} data-offline={isOffline}>
      {isOffline ? (
        <div className={styles['link']}>{inside}</div>
      ) : (
        <a
          className={styles['link']}
          href={`/detail/${document.fid}${page > 1 ? `#p=${page}` : ''}`}
          target="_blank"
          rel="noopener"
          title={document.name}
        >
          {inside}
        </a>
      )}
      {(props.choice || props.tools) && (
        <div className={styles['tools']}>
          {props.choice && <span className={styles['choice']}>{props.choice}</span>}
          {props.tools}
        </div>
      )}
    </li>
  );
}

/** Items of the final size while a page of the list is loading. */
export function KeptListSkeleton({ look, count }: { look: KeptLook; count: number }) {
  return (
    <KeptList look={look}>
      {Array.from({ length: count }, (_, index) => (
        <li key={`waiting${index}`} className={styles['item']} aria-hidden="true" data-skeleton="">
          <div className={styles['link']}>
            <span className={styles['frame']}>
              <span className={styles['blank']} />
            </span>
            <span className={styles['text']}>
              <span className={styles['stroke']} />
              <span className={styles['stroke']} />
            </span>
          </div>
        </li>
      ))}
    </KeptList>
  );
}
