import { data, isRouteErrorResponse } from 'react-router';
import { DocumentCard } from '../../../library/web/document-card.tsx';
import { DocumentGrid } from '../../../library/web/document-grid.tsx';
import { callFrom } from '../../../page-context.ts';
import { failureMeta, unlistedMeta } from '../../../page-head.ts';
import { CODE } from '../../../protocol/codes.ts';
import { formatNumber } from '../../../protocol/format-number.ts';
import { ErrorView } from '../../../site/web/errors/error-view.tsx';
import { NotFoundView } from '../../../site/web/errors/not-found-view.tsx';
import { LinkButton } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import { shortlistPath } from '../../addresses.ts';
import { openShortlist } from '../../contract-shortlists.ts';
import { pageOf } from '../lists/load-kept.ts';
import type { Route } from './+types/shortlist-page';
import styles from './shortlist-page.module.css';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const reply = await callFrom(context)(openShortlist, { key: params.key, page: pageOf(request) });
  if (reply.code === CODE.notFound) throw data(null, { status: isEnded(reply.data) ? 410 : 404 });
  if (reply.code !== CODE.ok || !reply.data)
    throw data(reply.message, { status: reply.code === CODE.tooFrequent ? 429 : 500 });
  return { shortlist: reply.data, shortlistKey: params.key };
}

/** Refusals carry their own facts instead of a shortlist. */
const isEnded = (refusal: object | null) => refusal !== null && 'gone' in refusal && refusal.gone === 1;

export function meta({ loaderData, matches, error }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  return loaderData ? unlistedMeta(root, loaderData.shortlist.name) : failureMeta(root, error, '清单不存在或已失效');
}

/** A shortlist as anybody with its link sees it: the documents as every list shows them, and the notes of who made it. */
export default function ShortlistPage({ loaderData }: Route.ComponentProps) {
  const { shortlist, shortlistKey } = loaderData;
  const { items, offline_count: offline } = shortlist;
  const path = shortlistPath(shortlistKey);
  return (
    <section className={styles['page']} aria-labelledby="shortlist-title">
      <p className={styles['kind']}>方案清单</p>
      <h1 id="shortlist-title" className={styles['title']}>
        {shortlist.name}
      </h1>
      <p className={styles['facts']}>
        共 {formatNumber(shortlist.total)} 份 · 链接有效至 {momentText(shortlist.expire_time)}
        {offline > 0 && ` · 另有 ${formatNumber(offline)} 份已下架`}
      </p>
      {items.length > 0 ? (
        <div className={styles['documents']}>
          <DocumentGrid>
            {items.map((item) => (
              <div key={item.id} className={styles['item']}>
                <DocumentCard item={item} heading="h2" />
                {item.note && <p className={styles['note']}>{item.note}</p>}
              </div>
            ))}
          </DocumentGrid>
        </div>
      ) : shortlist.total > 0 ? (
        <Empty title="没有这一页">
          <LinkButton to={path}>回到第一页</LinkButton>
        </Empty>
      ) : (
        <Empty title="这份清单里还没有可以查看的方案">
          <LinkButton to="/report">看看其他方案</LinkButton>
        </Empty>
      )}
      <Pager
        page={shortlist.page}
        pageSize={shortlist.page_size}
        total={shortlist.total}
        label="清单"
        hrefOf={(page) => (page === 1 ? path : `${path}?page=${page}`)}
      />
    </section>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const way = (
    <LinkButton to="/report" look="primary" size="large">
      搜索方案
    </LinkButton>
  );
  if (status === 410)
    return (
      <NotFoundView title="这份清单的链接已失效" text="可以搜索和查看本站的其他方案。">
        {way}
      </NotFoundView>
    );
  if (status === 404) return <NotFoundView>{way}</NotFoundView>;
  // A refusal of the API, such as too many requests, comes with words of its own.
  const refusal = isRouteErrorResponse(error) && status === 429 ? new Error(String(error.data)) : error;
  return <ErrorView error={refusal} isInLayout />;
}
