import type { CardItem } from '../../library/web/card-item.ts';
import { DocumentGridSkeleton } from '../../library/web/document-grid.tsx';
import { useOwned } from '../../membership/web/use-owned.ts';
import { DocumentCards } from '../../shelf/web/document-cards.tsx';
import { LinkButton } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { homeHref, type HomeQuery } from './home-query.ts';
import styles from './plans.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

/** Cards above the fold on a desktop. */
const ABOVE_FOLD = 4;

export function Plans(props: {
  files: CardItem[];
  /** Ids of the listed documents that the reader owns. */
  owned: number[];
  total: number;
  pageSize: number;
  query: HomeQuery;
}) {
  const { files, query } = props;
  const owned = useOwned(
    files.map((file) => file.id),
    props.owned,
  );
  const isPending = useIsListPending();
  if (files.length === 0) return isPending ? <DocumentGridSkeleton count={props.pageSize} /> : <Nothing {...props} />;
  return (
    <div aria-busy={isPending}>
      {isPending ? (
        <DocumentGridSkeleton count={props.pageSize} />
      ) : (
        <DocumentCards items={files} owned={owned} aboveFold={ABOVE_FOLD} />
      )}
      <div className={styles['after']}>
        <Pager
          page={query.page}
          pageSize={props.pageSize}
          total={props.total}
          label="方案"
          hrefOf={(page) => `${homeHref({ ...query, page })}#plans`}
        />
        <LinkButton to={query.themeId > 0 ? `/report?theme_id=${query.themeId}` : '/report'} size="large">
          查看更多方案
        </LinkButton>
      </div>
    </div>
  );
}

function Nothing({ total, query }: { total: number; query: HomeQuery }) {
  if (total > 0) {
    return (
      <Empty title="这一页没有方案了" text={`一共 ${formatNumber(total)} 份，请回到第一页看看`}>
        <LinkButton to={homeHref({ ...query, page: 1 })} look="primary">
          回到第一页
        </LinkButton>
      </Empty>
    );
  }
  return (
    <Empty title={query.themeId > 0 ? '这个活动类型还没有方案' : '资料库正在整理，方案很快上架'}>
      {query.themeId > 0 && (
        <LinkButton to="/index" look="primary" preventScrollReset>
          看看推荐方案
        </LinkButton>
      )}
    </Empty>
  );
}
