import { type MouseEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useNavigation, useRevalidator } from 'react-router';
import { useSession } from '../../../accounts/web/session.tsx';
import { FACT_KINDS, type FactKind } from '../../../library/limits.ts';
import type { CardItem } from '../../../library/web/card-item.ts';
import { DocumentCardSkeleton } from '../../../library/web/document-card.tsx';
import { DocumentGrid, newestOf } from '../../../library/web/document-grid.tsx';
import { useOwned } from '../../../membership/web/use-owned.ts';
import { CODE } from '../../../protocol/codes.ts';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { DocumentCards } from '../../../shelf/web/document-cards.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { lackingWords } from '../../near-text.ts';
import { Chips } from '../filters/chips.tsx';
import { activeFilters, type FilterGroup, reportChips } from '../filters/filter-groups.ts';
import { FoundCard } from './found-card.tsx';
import { landingText } from './landing-text.ts';
// The style sheet must be there at the first paint, before the script.
import './no-results.module.css';
import { NO_FILTERS, readReportQuery, reportHref, type ReportQuery } from '../filters/report-query.ts';
import { ResultsHeading } from './results-heading.tsx';
import styles from './results.module.css';
import { SearchWall, silhouettes } from './search-wall.tsx';
import type { ShownAnswer } from './shown-answer.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Loaded after the first view, and before it is needed: then the network may be gone. */
const loadFailure = () => import('../../../ui/feedback/load-failure.tsx').then((module) => module.LoadFailure);
const LoadFailure = lazyWithRetry(loadFailure);
const Forgiven = lazyWithRetry(() => import('./forgiven.tsx').then((module) => module.Forgiven));
const NoResults = lazyWithRetry(() => import('./no-results.tsx').then((module) => module.NoResults));
const UnlockDialog = lazyWithRetry(() => import('./unlock-dialog.tsx').then((module) => module.UnlockDialog));

const ABOVE_FOLD = 4;

type ResultsProps = {
  query: ReportQuery;
  code: number;
  message: string;
  answer: ShownAnswer | null;
  /** The query of another view of this page that is loading, such as a chosen filter; null while none is loading. */
  coming: ReportQuery | null;
  groups: FilterGroup[];
  /** Searches that the site proposes. */
  hotWords: string[];
  /** Ids of the listed documents that the reader owns. */
  owned: number[];
};

/** The results: heading and count, cards or rows, the membership wall, the pager. */
export function Results(props: ResultsProps) {
  const { query, answer, groups } = props;
  const { member } = useSession();
  const [isUnlockOpen, setIsUnlockOpen] = useState<boolean | null>(null);
  const isPending = props.coming !== null;
  useSearchRefusal(props);
  useStandingCheck(answer?.limited === 1);
  const files = answer ? [...answer.item_list, ...answer.nearest_list, ...answer.similar_list] : [];
  const owned = useOwned(
    files.map((file) => file.id),
    props.owned,
  );
  const newest = newestOf(files);
  useEffect(() => {
    loadFailure().catch(() => {});
  }, []);
  if (!answer) return <Failure message={props.message} />;
  const isEmpty = answer.item_list.length === 0;
  // A later page of a list that ends on its first page is empty, not locked.
  const isWalled = answer.limited === 1 && answer.total_count > answer.visible_count;
  // Heading and chips show the address that is loading; the list shows skeletons until it is loaded.
  const shown = props.coming ?? query;
  const about = isPending ? '' : landingText(query, groups, answer.total_count);
  const unlock = () => setIsUnlockOpen(true);
  // C-38: the server would refuse later pages, so the pager opens the dialog instead.
  const isPagerLocked = isWalled && !isPending && member !== null;
  const askInstead = (event: SyntheticEvent) => {
    if (!isPagerLocked) return;
    event.preventDefault();
    unlock();
  };
  const onPagerClick = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (isPlain && isBehindFirstPage(event.target)) askInstead(event);
  };
  return (
    <section id="results" className={styles['results']} tabIndex={-1} aria-label="搜索结果" aria-busy={isPending}>
      <div className={styles['line']}>
        <ResultsHeading
          query={shown}
          groups={groups}
          list={
            isPending
              ? null
              : {
                  corrected: answer.corrected_from ? answer.searched_for : '',
                  total: answer.total_count,
                  onlyInPages: answer.only_in_pages,
                  fullCount: answer.full_count,
                  isMore: answer.is_more === 1,
                  about: answer.about_count,
                }
          }
        />
      </div>
      {about !== '' && <p className={styles['about']}>{about}</p>}
      <Chips chosen={reportChips(shown, groups)} clearHref={reportHref(shown, NO_FILTERS)} />
      {!isPending && (
        <LazyBoundary>
          <Forgiven query={query} answer={answer} isFiltered={activeFilters(query, groups).length > 0} />
        </LazyBoundary>
      )}
      {isEmpty && !isWalled && !isPending ? (
        <LazyBoundary fallback={<div className={styles['standIn']} />}>
          <NoResults
            query={query}
            total={answer.total_count}
            groups={groups}
            themes={answer.themes}
            related={answer.related}
            hotWords={props.hotWords}
            nearest={answer.nearest_theme}
            nearestItems={answer.nearest_list}
            owned={owned}
          />
        </LazyBoundary>
      ) : (
        <div className={isWalled && !isPending ? styles['fading'] : undefined}>
          {isPending ? (
            <DocumentGrid isSwitchable>{skeletons(answer.page_size)}</DocumentGrid>
          ) : (
            <FoundCards
              answer={answer}
              newest={newest}
              owned={owned}
              silhouettes={isWalled}
              shownFacts={factsOf(query)}
            />
          )}
        </div>
      )}
      {isWalled && !isPending && (
        <SearchWall
          total={answer.total_count}
          shown={answer.shown_count}
          unit="份"
          membership="会员"
          firstPage={reportHref(query, { page: 1 })}
          onUnlock={unlock}
        />
      )}
      {answer.exact_key && !isWalled && !isPending && isLastPage(answer) && (
        <p className={styles['mentions']}>
          另有 {formatNumber(answer.mention_count)} 份方案只在正文里顺带提到。
          <Link to={reportHref(query, { searchKey: answer.exact_key, isExact: true })}>全部显示</Link>
        </p>
      )}
      {answer.similar_list.length > 0 && !isPending && (
        <SimilarPlans industry={answer.similar_industry} items={answer.similar_list} owned={owned} />
      )}
      <div className={styles['pager']} onClickCapture={onPagerClick} onSubmitCapture={askInstead}>
        <Pager
          page={query.page}
          pageSize={answer.page_size}
          total={answer.total_count}
          label="搜索结果"
          hrefOf={(page) => reportHref(query, { page })}
        />
      </div>
      {isUnlockOpen !== null && (
        <LazyBoundary onOpenChange={(isOpen) => setIsUnlockOpen(isOpen || null)}>
          <UnlockDialog isOpen={isUnlockOpen} onClose={() => setIsUnlockOpen(false)} total={answer.total_count} />
        </LazyBoundary>
      )}
    </section>
  );
}

/** The cards: decks with all words, and under a line of their own decks with some. */
function FoundCards(props: {
  answer: ShownAnswer;
  newest: ReadonlySet<number>;
  owned: ReadonlySet<number>;
  silhouettes: boolean;
  shownFacts: readonly FactKind[];
}) {
  const { answer, newest, owned } = props;
  const { item_list: items, full_count: fullCount } = answer;
  const cards = items.map((item, index) => (
    <FoundCard
      key={item.id}
      item={item}
      isPriority={index < ABOVE_FOLD}
      isNewest={newest.has(item.id)}
      isOwned={owned.has(item.id)}
      shownFacts={props.shownFacts}
    />
  ));
  const more = props.silhouettes ? silhouettes(items.length) : [];
  const firstPartial = items.findIndex(({ match }) => match === 'partial');
  // A list of nothing but partial matches is announced above it (forgiven.tsx).
  if (firstPartial < 0 || fullCount === 0) return <DocumentGrid isSwitchable>{[...cards, ...more]}</DocumentGrid>;
  // What holds related words instead of all that it lacks is near, and not a part of what was asked.
  const isNear = items.slice(firstPartial).every((item) => lackingWords(item).length === 0);
  const lacking = answer.dropped.length > 0 ? `（缺：${answer.dropped.join('、')}）` : '缺的词写在各份下面';
  const comma = isNear || answer.dropped.length > 0 ? '' : '，';
  return (
    <>
      {firstPartial > 0 && <DocumentGrid isSwitchable>{cards.slice(0, firstPartial)}</DocumentGrid>}
      <p className={styles['divider']}>
        <span>
          <span className={styles['clause']}>
            以上 {formatNumber(fullCount)} 份<b>全部符合</b>，
          </span>
          <span className={styles['clause']}>
            以下<b>{isNear ? '内容相近' : '部分符合'}</b>
            {comma}
          </span>
          {!isNear && <span className={styles['clause']}>{lacking}</span>}
        </span>
      </p>
      <DocumentGrid isSwitchable>{[...cards.slice(firstPartial), ...more]}</DocumentGrid>
    </>
  );
}

/** Returns the stated facts that a list is filtered or sorted by. */
const factsOf = (query: ReportQuery) => FACT_KINDS.filter((fact) => query[fact] > 0 || query.sort === fact);

/** Plans like the first results, below a list that is short. */
function SimilarPlans(props: { industry: string; items: CardItem[]; owned: ReadonlySet<number> }) {
  const { industry, items, owned } = props;
  return (
    <section className={styles['similar']} aria-labelledby="similar-title">
      <h2 id="similar-title">结果不多，{industry}行业还有这些方案</h2>
      <DocumentCards items={items} owned={owned} isSwitchable />
    </section>
  );
}

const isLastPage = ({ page, page_size: size, total_count: total }: ShownAnswer) => page * size >= total;

/** Tells whether a click in the pager leads to a page after the first. */
function isBehindFirstPage(target: EventTarget | null): boolean {
  const link = target instanceof Element ? target.closest('a') : null;
  return link !== null && readReportQuery(new URL(link.href).searchParams).page > 1;
}

/** Skeletons with keys that no document has: otherwise React would move elements instead of replacing them. */
function skeletons(count: number) {
  return Array.from({ length: count }, (_, index) => <DocumentCardSkeleton key={`waiting${index}`} />);
}

/** Stands in place of the results of a search that failed; `message` says why. */
export function Failure({ message }: { message: string }) {
  return (
    <section id="results" className={styles['results']} tabIndex={-1}>
      <LazyBoundary fallback={message}>
        <LoadFailure heading="h1" title="暂时无法搜索" text={message} />
      </LazyBoundary>
    </section>
  );
}

const TO_VIP_MS = 2000;

/**
 * Asks who the reader is when the server answered a member as a visitor: their session was ended elsewhere (C-43), which the answer clears here as well,
 * or their membership has ended since this page was loaded.
 */
function useStandingCheck(isLimited: boolean): void {
  const { member } = useSession();
  const { revalidate } = useRevalidator();
  const isContradiction = isLimited && (member?.user_type ?? 0) > 1;
  const reload = useRef(revalidate);
  reload.current = revalidate;
  useEffect(() => {
    if (!isContradiction) return;
    void import('../../../accounts/web/ask-mine.ts').then(({ checkSession }) => checkSession(() => reload.current()));
  }, [isContradiction]);
}

/**
 * Shows the server's message and leads an ordinary user whose search was refused to /aboutVip (§8, C-37). A visitor stays: the wall offers
 * the login.
 */
function useSearchRefusal(reply: { code: number; message: string }): void {
  const { member } = useSession();
  const navigate = useNavigate();
  // Who goes on by themselves meanwhile is left alone.
  const isStaying = useNavigation().state === 'idle';
  const isSentOn = isStaying && reply.code === CODE.searchLimit && member?.user_type === 1;
  useEffect(() => {
    if (!isSentOn) return;
    toast.warning(reply.message);
    // Replaces the refused page in the history: otherwise Back would lead to it, and it would redirect again.
    const timer = setTimeout(() => void navigate('/aboutVip', { replace: true }), TO_VIP_MS);
    return () => clearTimeout(timer);
  }, [isSentOn, reply.message, navigate]);
}
