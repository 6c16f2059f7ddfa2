import type { DocumentVersion } from '../../library/contract.ts';
import type { CardItem } from '../../library/web/card-item.ts';
import { DocumentCards } from '../../shelf/web/document-cards.tsx';
import styles from './related-documents.module.css';
import { Link } from 'react-router';
import { priceText } from '../../ui/text/format-text.ts';

export function Similar({ files, owned }: { files: CardItem[]; owned: ReadonlySet<number> }) {
  if (files.length === 0) return null;
  return (
    <section className={styles['similar']} data-screen>
      <h2>相似方案</h2>
      <DocumentCards items={files} owned={owned} />
    </section>
  );
}

/** Number of versions above which the list is folded. */
const SHOWN = 4;

/**
 * A line above the download that links to a newer version of the plan, so that nobody pays for an old version
 * unknowingly.
 */
export function NewerVersion({ versions }: { versions: DocumentVersion[] }) {
  const newest = versions.find((version) => version.is_newer === 1);
  if (!newest) return null;
  return (
    <Link to={`/detail/${newest.fid}`} className={styles['notice']}>
      有新版本：{newest.time_text} 收录 <span aria-hidden="true">›</span>
    </Link>
  );
}

/** Lists other exports and states of the same plan, newest first. */
export function Versions({ versions, owned }: { versions: DocumentVersion[]; owned: ReadonlySet<number> }) {
  if (versions.length === 0) return null;
  const rest = versions.slice(SHOWN);
  return (
    <section className={styles['versions']} data-screen aria-labelledby="versions">
      <h2 id="versions" className={styles['title']}>
        其他版本
      </h2>
      <List versions={versions.slice(0, SHOWN)} owned={owned} />
      {rest.length > 0 && (
        <details>
          <summary className={styles['more']}>其余 {rest.length} 个</summary>
          <List versions={rest} owned={owned} />
        </details>
      )}
    </section>
  );
}

/** Renders the price of the version for this reader, in the words of the cards. */
function Cost({ version, isOwned }: { version: DocumentVersion; isOwned: boolean }) {
  if (version.preview_only === 1) return '仅供预览';
  if (isOwned && version.price > 0) return <b className={styles['owned']}>已购</b>;
  return version.price > 0 ? `${priceText(version.price)}，VIP 免费` : priceText(version.price);
}

function List({ versions, owned }: { versions: DocumentVersion[]; owned: ReadonlySet<number> }) {
  return (
    <ul>
      {versions.map((version) => (
        <li key={version.fid}>
          <Link to={`/detail/${version.fid}`} className={styles['version']}>
            <span className={styles['name']}>{version.name}</span>
            <span className={styles['facts']}>
              {version.is_newer === 1 && <b className={styles['newer']}>更新</b>} {version.time_text} ·{' '}
              {version.file_type_text}
              {version.page_count > 0 && ` · ${version.page_count} 页`}
              {' · '}
              <Cost version={version} isOwned={owned.has(version.fid)} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
