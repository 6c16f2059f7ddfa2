import type { ReactNode } from 'react';
import { useCurrentSection } from '../../ui/navigation/use-current-section.ts';
import { Clauses } from '../../ui/text/line-breaks.tsx';
import styles from './legal-page.module.css';
import type { MetaDescriptor } from 'react-router';
import { pageMeta } from '../../page-head.ts';

/**
 * A legal text: dates, the most important sentences, the text, and a table of contents beside it on wide screens. `form` stands at the end
 * of the section with its id.
 */
export function LegalPage({ text, form }: { text: LegalText; form?: { section: string; content: ReactNode } }) {
  const current = useCurrentSection(text.sections.map((section) => section.id));
  return (
    <div className={styles['page']}>
      <nav className={styles['contents']} aria-label="目录">
        <p className={styles['contentsTitle']}>目录</p>
        <ol>
          {text.sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`} aria-current={section.id === current ? 'true' : undefined}>
                {section.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article className={styles['text']}>
        <h1>{text.title}</h1>
        <p className={styles['dates']}>
          更新日期 <time dateTime={text.updatedOn}>{text.updatedOn}</time>
          <span aria-hidden="true"> · </span>
          生效日期 <time dateTime={text.effectiveOn}>{text.effectiveOn}</time>
          <span aria-hidden="true"> · </span>
          <Clauses text={text.history} />
        </p>
        <section className={styles['summary']} aria-label="要点">
          <h2>请先了解</h2>
          <ul>
            {text.summary.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
        {text.sections.map((section) => (
          <section key={section.id} id={section.id} className={styles['section']}>
            <h2>{section.title}</h2>
            {section.blocks.map((block, index) => (
              <Block key={index} block={block} />
            ))}
            {section.id === form?.section && form.content}
          </section>
        ))}
      </article>
    </div>
  );
}

function Block({ block }: { block: LegalBlock }) {
  if (typeof block === 'string') return <p>{block}</p>;
  if ('list' in block) {
    return (
      <ul>
        {block.list.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    );
  }
  const { head, rows } = block.table;
  return (
    <div className={styles['scroll']} role="region" aria-label={head.join('、')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...rest]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {rest.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Returns title, description and canonical address of a legal page. `root`: data of the root loader, if it succeeded.
 */
export function legalMeta(
  root: Parameters<typeof pageMeta>[0],
  path: string,
  title: string,
  description: string,
): MetaDescriptor[] {
  return pageMeta(root, { title, description: `${root?.site.name ?? '策库'}${title}：${description}`, path });
}

/** The operator of the site, as the legal pages name it. */
export type Operator = {
  name: string;
  companyName: string;
  companyPhone: string;
  companyEmail: string;
  companyAddress: string;
};

/** A paragraph or a list; plain text, no markup. */
type LegalBlock = string | { list: string[] } | { table: { head: string[]; rows: string[][] } };

type LegalSection = { id: string; title: string; blocks: LegalBlock[] };

export type LegalText = {
  title: string;
  /** YYYY-MM-DD */
  updatedOn: string;
  effectiveOn: string;
  /** Earlier versions of the text. */
  history: string;
  /** The most important sentences, shown first. */
  summary: string[];
  sections: LegalSection[];
};
