import type { DocumentDetail } from '../contract.ts';
import styles from './outline.module.css';
import { pageHash } from './use-wanted-page.ts';

/** More than this many titles are folded away at first… */
const SHOWN_TITLES = 16;
/** …unless there are so few more that the fold would take as much room as they do. */
const FEW_MORE = 4;
/** The excerpt is the beginning of the text: one this long (characters) was cut. */
const CUT_EXCERPT = 280;

/** What the whole deck is about: its text in brief and the title of every page. */
export function Outline({ detail }: { detail: DocumentDetail }) {
  const { outline, text_excerpt: excerpt } = detail;
  if (outline.length === 0 && excerpt === '') return null;
  const isCut = excerpt.length >= CUT_EXCERPT;
  const previews = detail.page_urls.length;
  const shown = outline.length <= SHOWN_TITLES + FEW_MORE ? outline.length : SHOWN_TITLES;
  const rest = outline.slice(shown);
  return (
    <div className={styles['about']}>
      {outline.length > 0 && (
        <section>
          <h2 className={styles['title']}>全文目录</h2>
          <Titles titles={outline.slice(0, shown)} previews={previews} />
          {rest.length > 0 && (
            <details className={styles['more']}>
              <summary>
                <span className={styles['whileClosed']}>展开其余 {rest.length} 条</span>
                <span className={styles['whileOpen']}>收起其余 {rest.length} 条</span>
              </summary>
              <Titles titles={rest} previews={previews} />
            </details>
          )}
        </section>
      )}
      {excerpt !== '' && (
        <section>
          <h2 className={styles['title']}>内容摘录</h2>
          <p className={styles['excerpt']}>{isCut ? `${excerpt}…` : excerpt}</p>
        </section>
      )}
    </div>
  );
}

function Titles({ titles, previews }: { titles: DocumentDetail['outline']; previews: number }) {
  return (
    <ol className={styles['titles']}>
      {titles.map(({ page, title }, index) => (
        <li key={index}>
          {page <= previews ? (
            <a href={pageHash(page)} className={styles['entry']}>
              <span className={styles['name']}>{title}</span>
              <span className={styles['number']}>{page}</span>
            </a>
          ) : (
            <span className={styles['entry']}>
              <span className={styles['name']}>{title}</span>
              <span className={styles['number']}>{page}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
