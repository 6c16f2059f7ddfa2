import type { ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { PleaseLogIn, useSessionCheck } from '../../../accounts/web/private-page.tsx';
import { useSession } from '../../../accounts/web/session.tsx';
import { LinkButton } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../../ui/navigation/use-is-list-pending.ts';
import { KeptList, KeptListSkeleton, type KeptLook } from './kept-item.tsx';
import styles from './kept-page.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

/** A page of a list as the loader of its page answers it; `list` is null when it could not be read. */
export type KeptLoaded<T> = {
  list: { items: T[]; page: number; page_size: number; total: number } | null;
  /** The session ended in the meantime. */
  isOver: boolean;
};

/** The heading of the list takes the focus of a control that goes with what it deleted. */
export const keptHeading = () => document.getElementById('kept-title');

/**
 * Moves the focus from a control whose list item is about to go to the last button of the item after it, or before it, or else to
 * `otherwise`. A control that goes with the focus leaves it to the body, and the keyboard begins at the top of the page.
 */
export function focusBeside(control: Element | null, otherwise: () => HTMLElement | null): void {
  const item = control?.closest('li');
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  const button = beside && [...beside.querySelectorAll('button')].at(-1);
  (button ?? otherwise())?.focus();
}

/** Props of a list that several pages show, each with its own title, look and addresses. */
export type KeptListProps<T> = {
  title: string;
  loaded: KeptLoaded<T>;
  look: KeptLook;
  hrefOf: (page: number) => string;
};

/**
 * A list of one user with its states (§2): skeletons while another page loads, the empty text, an error with a way to try
 * again, a request to log in, the pager. `children` renders an item with a key.
 */
export function KeptPage<T>(
  props: KeptListProps<T> & {
    /** Name of the list in the pager, for screen readers. */
    label: string;
    empty: ReactNode;
    /** Text that asks visitors to log in. */
    invitation: string;
    /** What the list has, beside its heading; by default 共 N 项. */
    totalText?: string;
    /** Stands between heading and list. */
    above?: ReactNode;
    /** Stands beside the heading. */
    tools?: ReactNode;
    children: (item: T) => ReactNode;
  },
) {
  const { member } = useSession();
  const { list, isOver } = props.loaded;
  useSessionCheck(isOver);
  const { state } = useRevalidator();
  const isPending = useIsListPending();
  if (!member) return <PleaseLogIn text={props.invitation} />;
  const isWaiting = isPending || (list === null && state === 'loading');
  return (
    <section className={styles[props.look]} aria-labelledby="kept-title" aria-busy={isWaiting}>
      <header className={styles['head']}>
        <h1 id="kept-title" tabIndex={-1} className={styles['title']}>
          {props.title}
        </h1>
        {list !== null && list.total > 0 && (
          <p className={styles['total']}>{props.totalText ?? `共 ${formatNumber(list.total)} 项`}</p>
        )}
        {props.tools && <div className={styles['tools']}>{props.tools}</div>}
      </header>
      {props.above}
      {isWaiting ? (
        <KeptListSkeleton look={props.look} count={list?.items.length || 4} />
      ) : list === null ? (
        <LoadFailure title="暂时无法读取列表" />
      ) : list.total === 0 ? (
        props.empty
      ) : list.items.length === 0 ? (
        <Empty title="这一页没有内容" text={`一共 ${formatNumber(list.total)} 项，请回到第一页看看`}>
          <LinkButton to={props.hrefOf(1)}>回到第一页</LinkButton>
        </Empty>
      ) : (
        <KeptList look={props.look}>{list.items.map(props.children)}</KeptList>
      )}
      {list && (
        <div className={styles['pager']}>
          <Pager
            page={list.page}
            pageSize={list.page_size}
            total={list.total}
            hrefOf={props.hrefOf}
            label={props.label}
          />
        </div>
      )}
    </section>
  );
}

/** An empty list: the text of the specification, and the way to the library. */
export function NothingKept({ text }: { text: string }) {
  return (
    <Empty title={text}>
      <LinkButton to="/report">去找方案</LinkButton>
    </Empty>
  );
}
