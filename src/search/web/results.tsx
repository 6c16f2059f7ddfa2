import { useRevalidator } from 'react-router';
import { DocumentCardSkeleton } from '../../library/web/document-card-skeleton.tsx';
import { DocumentGrid } from '../../library/web/document-grid.tsx';
import type { Answer } from '../../protocol/endpoint.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useIsListPending } from '../../ui/use-is-list-pending.ts';
import type { searchDocuments } from '../contract.ts';
import { Chips } from './chips.tsx';
import type { FilterGroup } from './filter-groups.ts';
import { Forgiven } from './forgiven.tsx';
import { FoundCard } from './found-card.tsx';
import { NoResults } from './no-results.tsx';
import { reportHref, type ReportQuery } from './report-query.ts';
import styles from './results.module.css';
import { ResultsHeading } from './results-heading.tsx';
import { SearchWall, silhouettes } from './search-wall.tsx';
import { useSearchRefusal } from './use-search-refusal.ts';

const ABOVE_FOLD = 4;

export type ResultsProps = {
  query: ReportQuery;
  code: number;
  message: string;
  answer: Answer<typeof searchDocuments> | null;
  groups: FilterGroup[];
};

/** What the search found: heading and count, the grid or rows, the wall below VIP, the pager. */
export function Results(props: ResultsProps) {
  const { query, answer } = props;
  const isPending = useIsListPending();
  useSearchRefusal(props);
  if (!answer) return <Failure message={props.message} />;
  const isEmpty = answer.item_list.length === 0;
  const isWalled = answer.limited === 1 && answer.total_count > answer.item_list.length;
  return (
    <section id="results" className={styles['results']} aria-label="搜索结果" aria-busy={isPending}>
      <div className={styles['line']}>
        <ResultsHeading
          query={query}
          searchedFor={answer.searched_for}
          onlyInPages={answer.only_in_pages}
          fullCount={answer.full_count}
          total={answer.total_count}
          groups={props.groups}
        />
      </div>
      <Chips query={query} groups={props.groups} />
      {!isPending && <Forgiven query={query} answer={answer} />}
      {isEmpty && !isWalled && !isPending ? (
        <NoResults
          query={query}
          total={answer.total_count}
          groups={props.groups}
          themes={answer.themes}
          related={answer.related}
          nearest={answer.nearest_theme}
          nearestItems={answer.nearest_list}
        />
      ) : (
        <div className={isWalled && !isPending ? styles['fading'] : undefined}>
          <DocumentGrid isSwitchable>
            {isPending
              ? skeletons(answer.page_size)
              : [
                  ...answer.item_list.map((item, index) => (
                    <FoundCard key={item.id} item={item} isPriority={index < ABOVE_FOLD} />
                  )),
                  ...(isWalled ? silhouettes(answer.item_list.length) : []),
                ]}
          </DocumentGrid>
        </div>
      )}
      {isWalled && !isPending && <SearchWall total={answer.total_count} shown={answer.item_list.length} />}
      <div className={styles['pager']}>
        <Pager
          page={query.page}
          pageSize={answer.page_size}
          total={answer.total_count}
          label="搜索结果"
          hrefOf={(page) => reportHref(query, { page })}
        />
      </div>
    </section>
  );
}

/** Under keys that no document has: or React would move a place on the page instead of filling it. */
function skeletons(count: number) {
  return Array.from({ length: count }, (_, index) => <DocumentCardSkeleton key={`waiting${index}`} />);
}

function Failure({ message }: { message: string }) {
  const { revalidate, state } = useRevalidator();
  return (
    <section className={styles['results']} role="alert">
      <Empty drawing="broken" title={message} heading="h1">
        <Button look="primary" disabled={state === 'loading'} onClick={() => void revalidate()}>
          重试
        </Button>
      </Empty>
    </section>
  );
}
