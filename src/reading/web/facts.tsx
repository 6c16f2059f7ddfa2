import { useLinkClicks } from '../../ui/navigation/use-link-clicks.ts';
import { MiB, sizeText } from '../../ui/text/format-text.ts';
import type { DocumentDetail } from '../contract.ts';
import styles from './facts.module.css';

/** The facts of a document, with links to lists of similar documents, and to the form of a report about it. */
export function Facts({ detail }: { detail: DocumentDetail }) {
  const facts: [name: string, value: string][] = [
    ['格式', detail.file_type_text],
    ['文件大小', sizeText(detail.size * MiB)],
    ['页数', detail.page_count > 0 ? `${detail.page_count} 页` : ''],
    ['收录时间', detail.time_text],
    ['行业', detail.industry.name],
    ['方案类型', detail.type.name],
    ['机构', detail.organization.name],
    ['作者', detail.researcher.name],
  ];
  const onPages: { name: string; text?: string; page: number }[] = [...detail.stated, ...detail.key_pages];
  const keywords = [...new Set(detail.keyword.split(/[,，]/).map((word) => word.trim()))].filter(Boolean);
  return (
    <div className={styles['facts']}>
      <dl className={styles['list']}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        {onPages.map(({ name, text, page }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {text} <a href={`#p=${page}`}>第 {page} 页</a>
            </dd>
          </div>
        ))}
      </dl>
      <Tags title="活动类型" tags={detail.themes.map(({ id, name }) => ({ name, to: `/report?theme_id=${id}` }))} />
      <Tags
        title="关键词"
        tags={keywords.map((name) => ({ name, to: `/report?search_key=${encodeURIComponent(name)}` }))}
      />
      <a
        className={styles['report']}
        href={`/infringement#doc=${detail.id}`}
        target="_blank"
        rel="noopener"
        data-screen
      >
        侵权投诉
      </a>
    </div>
  );
}

function Tags({ title, tags }: { title: string; tags: { name: string; to: string }[] }) {
  const onClick = useLinkClicks();
  if (tags.length === 0) return null;
  return (
    <div>
      <h2 className={styles['title']}>{title}</h2>
      <ul className={styles['tags']} onClick={onClick}>
        {tags.map((tag) => (
          <li key={tag.to}>
            <a className="touch-target" href={tag.to}>
              {tag.name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
