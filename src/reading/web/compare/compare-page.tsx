import { useEffect, useRef, useState } from 'react';
import { Link, isRouteErrorResponse, useLocation, useNavigate } from 'react-router';
import { callFrom } from '../../../page-context.ts';
import { failureMeta, unlistedMeta } from '../../../page-head.ts';
import { useRootData } from '../../../root-data.ts';
import { ErrorView } from '../../../site/web/errors/error-view.tsx';
import { NotFoundView } from '../../../site/web/errors/not-found-view.tsx';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/feedback/copy-button.tsx';
import { useHashAtOnce } from '../../../ui/navigation/use-is-list-pending.ts';
import { ChevronLeftIcon } from '../../../ui/pictures/icons.tsx';
import { detailPath, documentIdOf } from '../../../library/addresses.ts';
import { comparePath } from '../../addresses.ts';
import type { Route } from './+types/compare-page';
import { pairHash, pairOf, turnPair, type PagePair } from './compare-address.ts';
import styles from './compare-page.module.css';
import { DeckPane, type PaneKeys } from './deck-pane.tsx';
import { loadDeck, type Deck } from './load-deck.ts';

/** Two pages side by side are too small to read below this width; compare-page.module.css has it as well. */
const WIDE = '(min-width: 1200px)';

export async function loader({ context, params }: Route.LoaderArgs) {
  const call = callFrom(context);
  const [left, right] = await Promise.all([
    loadDeck(call, documentIdOf(params.left, null)),
    loadDeck(call, documentIdOf(params.right, null)),
  ]);
  return { left, right };
}

export function meta({ loaderData, matches, error }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  if (!loaderData) return failureMeta(root, error);
  const { left, right } = loaderData;
  return unlistedMeta(root, `${left.detail.name} 与 ${right.detail.name} 对比阅读`);
}

/**
 * Two documents side by side (对比阅读), each with its own page and the rights that its reader has. The address names both
 * documents and both pages. Keys go to the side that was used last; Tab reaches the other.
 */
export default function ComparePage({ loaderData }: Route.ComponentProps) {
  const { left, right } = loaderData;
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const wide = window.matchMedia(WIDE);
    const look = () => setIsWide(wide.matches);
    look();
    wide.addEventListener('change', look);
    return () => wide.removeEventListener('change', look);
  }, []);
  return (
    <main className={styles['page']}>
      <h1 className="visually-hidden">对比阅读</h1>
      {isWide && <Panes key={`${left.detail.id} ${right.detail.id}`} left={left} right={right} />}
      <NeedsWideScreen decks={[left, right]} />
    </main>
  );
}

function Panes({ left, right }: { left: Deck; right: Deck }) {
  const { hash } = useHashAtOnce();
  const navigate = useNavigate();
  const root = useRootData();
  const [isLinked, setIsLinked] = useState(false);
  const [active, setActive] = useState<0 | 1>(0);
  const keys = useRef<[PaneKeys | null, PaneKeys | null]>([null, null]);
  const last = [left.detail.page_count, right.detail.page_count] as const;
  const [leftPage, rightPage] = pairOf(hash);
  const pages: PagePair = [Math.min(leftPage, Math.max(last[0], 1)), Math.min(rightPage, Math.max(last[1], 1))];
  const turn = (side: 0 | 1) => (page: number) => {
    const next = turnPair(pages, side, page, { last, isLinked });
    void navigate({ hash: pairHash(next) }, { replace: true, preventScrollReset: true, flushSync: true });
  };
  const path = comparePath(left.detail.id, right.detail.id);
  useEffect(() => {
    // On the document: right after the page has come nothing has the focus.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isElsewhere = event.target instanceof Element && event.target.closest('dialog, input');
      if (!isElsewhere && keys.current[active]?.(event) === true) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [active]);
  const pane = (side: 0 | 1, deck: Deck, other: Deck) => (
    <DeckPane
      deck={deck}
      side={side === 0 ? '左' : '右'}
      page={pages[side]}
      isActive={active === side}
      onActive={() => setActive(side)}
      onTurn={turn(side)}
      onKeys={(given) => (keys.current[side] = given)}
      // Another document on this side, beside the one that stays.
      replacePath={comparePath(other.detail.id)}
    />
  );
  return (
    <div className={styles['desk']}>
      <header className={styles['top']}>
        <Link to={detailPath(left.detail.id, { page: pages[0] })} className={styles['back']}>
          <ChevronLeftIcon /> 返回方案
        </Link>
        <p className={styles['title']}>对比阅读</p>
        <div className={styles['tools']}>
          <Button
            size="small"
            className={styles['link']}
            aria-pressed={isLinked}
            onClick={() => setIsLinked(!isLinked)}
          >
            同步翻页
          </Button>
          <CopyButton value={`${root?.origin ?? ''}${path}${pairHash(pages)}`} label="复制对比链接" isOnDark />
        </div>
      </header>
      <div className={styles['panes']}>
        {pane(0, left, right)}
        {pane(1, right, left)}
      </div>
    </div>
  );
}

/** Shown on narrow screens instead of the two documents, and until the script has come. */
function NeedsWideScreen({ decks }: { decks: readonly [Deck, Deck] }) {
  const { hash } = useLocation();
  const pages = pairOf(hash);
  return (
    <div className={styles['narrow']}>
      <h2>对比阅读需要更宽的屏幕</h2>
      <p>两份方案并排时，窗口宽度至少要有 1200 像素。请在电脑上打开，或把窗口拉宽；也可以先分别阅读：</p>
      <ul>
        {decks.map(({ detail }, side) => (
          // Both sides may show the same document.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={side}>
            <LinkButton to={detailPath(detail.id, { page: pages[side] })}>{detail.name}</LinkButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorView error={error} />;
  return (
    <main>
      <NotFoundView title="要对比的方案不存在或已下架" text="链接里的两份方案中，至少有一份现在打不开。">
        <LinkButton to="/report" look="primary" size="large">
          搜索方案
        </LinkButton>
      </NotFoundView>
    </main>
  );
}
