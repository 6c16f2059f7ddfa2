import type { ReactNode } from 'react';
import { ChevronLeftIcon, ChevronRightIcon } from '../pictures/icons.tsx';
import { GetForm } from './get-form.tsx';
import { pagesAround } from './pages-around.ts';
import styles from './pager.module.css';
import { useLinkClicks } from './use-link-clicks.ts';

/**
 * Numbered pages as links, with a form to jump to a page: both work without scripts. Renders nothing for a single page.
 */
export function Pager(props: {
  /** Counted from 1. */
  page: number;
  pageSize: number;
  total: number;
  /** Address of a page of this list, e.g. `/index?theme_id=3&page=2`. */
  hrefOf: (page: number) => string;
  /** Names the list for screen readers, e.g. 方案列表. */
  label: string;
}) {
  const onClick = useLinkClicks();
  const last = Math.ceil(props.total / props.pageSize);
  if (last <= 1) return null;
  const page = Math.min(Math.max(props.page, 1), last);
  return (
    <nav className={styles['pager']} aria-label={`${props.label}分页`} onClick={onClick}>
      <Step isOn={page > 1} to={props.hrefOf(page - 1)} label="上一页" rel="prev">
        <ChevronLeftIcon size={16} />
      </Step>
      {pagesAround(page, last).map((number, index) =>
        number === null ? (
          <span key={`gap${index}`} className={styles['gap']}>
            …
          </span>
        ) : (
          <a
            key={number}
            href={props.hrefOf(number)}
            className={[styles['item'], Math.abs(number - page) > 1 && styles['far']].filter(Boolean).join(' ')}
            aria-current={number === page ? 'page' : undefined}
            aria-label={`第 ${number} 页`}
          >
            {number}
          </a>
        ),
      )}
      <Step isOn={page < last} to={props.hrefOf(page + 1)} label="下一页" rel="next">
        <ChevronRightIcon size={16} />
      </Step>
      <Jumper hrefOf={props.hrefOf} last={last} page={page} />
    </nav>
  );
}

function Step(props: { isOn: boolean; to: string; label: string; rel: string; children: ReactNode }) {
  if (!props.isOn) {
    return (
      <span className={styles['item']} aria-hidden="true" data-off>
        {props.children}
      </span>
    );
  }
  return (
    <a href={props.to} className={styles['item']} aria-label={props.label} rel={props.rel}>
      {props.children}
    </a>
  );
}

/** Hidden fields with the list's query, which a GET form would otherwise replace. */
function Jumper(props: { hrefOf: (page: number) => string; last: number; page: number }) {
  // Any host serves: only path and query are read.
  const first = new URL(props.hrefOf(1), 'http://site');
  const kept = [...first.searchParams].filter(([name]) => name !== 'page');
  return (
    <GetForm className={styles['jumper']} action={first.pathname + first.hash}>
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        跳至
        <input
          key={props.page}
          className={styles['field']}
          name="page"
          type="number"
          min={1}
          max={props.last}
          step={1}
          required
          placeholder={String(props.page)}
          aria-label={`跳至第几页，共 ${props.last} 页`}
        />
      </label>
      <span>/ {props.last} 页</span>
      <button type="submit" className={styles['go']}>
        确定
      </button>
    </GetForm>
  );
}
