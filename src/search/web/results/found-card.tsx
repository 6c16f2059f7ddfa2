import type { ReactNode } from 'react';
import { detailPath } from '../../../library/addresses.ts';
import type { FactKind } from '../../../library/limits.ts';
import { DocumentCard } from '../../../library/web/document-card.tsx';
import { FavoriteButton } from '../../../shelf/web/favorite-button.tsx';
import { lackingWords } from '../../near-text.ts';
import { Highlighted, hitsOf, plainName } from '../../../ui/text/highlight.tsx';
import styles from './found-card.module.css';
import { withColons, withoutLooseQuotes } from './found-text.ts';
import type { ShownItem } from './shown-answer.ts';

/**
 * A result: the document, and a link to the first page that contains the words, where they are marked. A partial match names the missing words, or that its words are only related ones, and
 * a match that name and pages do not show says where it is. Other versions of the plan are links below it. A page of the kind that is asked for (动线设计) is a link. `shownFacts`: what the list is filtered or sorted by, shown with its page (C-118).
 */
export function FoundCard(props: {
  item: ShownItem;
  isPriority: boolean;
  isNewest: boolean;
  isOwned: boolean;
  shownFacts: readonly FactKind[];
}) {
  const { item, shownFacts, ...card } = props;
  const stated = item.stated.filter(({ kind }) => shownFacts.includes(kind));
  const [hit] = item.page_hits;
  const lacking = lackingWords(item);
  // 相近 alone tells nobody why a plan is here.
  const named = lacking.length === 0 && item.reason === '' ? hitsOf(item.name) : [];
  const document = (
    <DocumentCard
      {...card}
      item={item}
      isMarkup
      isDetailed
      heading="h2"
      action={
        <FavoriteButton
          target={{ type: 3, id: item.id }}
          name={plainName(item.name)}
          look="card"
          isFavorite={item.is_favorite === 1 || undefined}
        />
      }
    />
  );
  const more = stated.length + item.versions.length + item.asked_pages.length;
  if (!hit && !item.reason && item.match === 'full' && more === 0) return document;
  return (
    <div className={styles['found']}>
      {document}
      {item.match === 'partial' && (
        <p className={styles['line']}>
          {/* A reason that says 相近 needs no heading that says so. */}
          {(lacking.length > 0 || !item.reason.includes('相近')) && <b>{lacking.length > 0 ? '部分符合' : '相近'}</b>}
          {lacking.length > 0 && <Lacking words={lacking} isFollowed={item.reason !== ''} />}
          <span>
            {lacking.length > 0 && item.reason !== '' && '有：'}
            {item.reason}
            {named.length > 0 && `标题里有${named.map((word) => `“${word}”`).join('')}`}
          </span>
        </p>
      )}
      {item.match === 'full' && item.reason && <p className={styles['line']}>{withColons(item.reason)}</p>}
      {stated.map((fact) => (
        <PageLink key={fact.kind} href={detailPath(item.id, fact)} title={fact.name}>
          {fact.text}（第 {fact.page} 页）
        </PageLink>
      ))}
      {item.asked_pages.map(({ kind, name, page }) => (
        <PageLink key={kind} href={detailPath(item.id, { page })} title={`第 ${page} 页`}>
          {name}
        </PageLink>
      ))}
      {item.versions.length > 0 && (
        <p className={styles['line']}>
          <b>其他版本</b>
          {item.versions.map((version) => (
            <a
              key={version.fid}
              className={styles['version']}
              href={detailPath(version.fid, {})}
              target="_blank"
              rel="noopener"
            >
              {version.time_text} {version.file_type_text}
              {version.page_count > 0 && ` ${version.page_count} 页`}
            </a>
          ))}
        </p>
      )}
      {hit && (
        <PageLink
          href={detailPath(item.id, { page: hit.page, words: hitsOf(hit.snippet) })}
          title={`第 ${hit.page} 页`}
        >
          <Highlighted markup={withoutLooseQuotes(hit.snippet)} />
        </PageLink>
      )}
    </div>
  );
}

/** A line that leads to a page of the plan. */
function PageLink({ href, title, children }: { href: string; title: string; children: ReactNode }) {
  return (
    <a className={styles['line']} href={href} target="_blank" rel="noopener">
      <b>{title}</b>
      <span>{children}</span>
    </a>
  );
}

/** The missing words, before anything that may be cut off. No line ends behind the colon, and none begins with the semicolon. */
function Lacking({ words: [first = '', ...others], isFollowed }: { words: string[]; isFollowed: boolean }) {
  const end = isFollowed ? '；' : '';
  return (
    <span>
      <span className={styles['unbroken']}>
        缺：{first}
        {others.length === 0 && end}
      </span>
      {others.map((word) => `、${word}`).join('')}
      {others.length > 0 && end}
    </span>
  );
}
