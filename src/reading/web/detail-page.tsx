import { data, isRouteErrorResponse, Link } from 'react-router';
import { useLoginPrompt } from '../../accounts/web/use-login-prompt.ts';
import { listSimilar, listVersions } from '../../library/contract.ts';
import { toCardItem } from '../../library/web/card-item.ts';
import { ShareButton } from '../../library/web/share/share-button.tsx';
import { quoteDownload } from '../../membership/contract.ts';
import { DownloadDialogs } from '../../membership/web/download/download-dialogs.tsx';
import { loadOwned } from '../../membership/web/load-owned.ts';
import { useOwned } from '../../membership/web/use-owned.ts';
import { DownloadPanel } from '../../membership/web/download/download-panel.tsx';
import { useDownload } from '../../membership/web/download/use-download.ts';
import { callFrom } from '../../page-context.ts';
import { failureMeta } from '../../page-head.ts';
import { StructuredData } from '../../structured-data.tsx';
import { CODE } from '../../protocol/codes.ts';
import { ErrorView } from '../../site/web/errors/error-view.tsx';
import { NotFoundView } from '../../site/web/errors/not-found-view.tsx';
import { LinkButton } from '../../ui/controls/button.tsx';
import { CompareIcon } from '../../ui/pictures/tool-icons.tsx';
import { getDetail } from '../contract.ts';
import type { Route } from './+types/detail-page';
import { Charts } from './charts.tsx';
import { DetailFavorite } from './detail-favorite.tsx';
import { DetailHeading } from './detail-heading.tsx';
import { detailFacts, detailMeta } from './detail-meta.ts';
import styles from './detail-page.module.css';
import { GroupButton } from './group-button.tsx';
import { comparePath } from '../addresses.ts';
import { documentIdOf } from '../../library/addresses.ts';
import { Facts } from './facts.tsx';
import { Outline } from './outline.tsx';
import { PreviewOnly } from './preview/preview-only.tsx';
import { previewPromise } from '../preview-pages.ts';
import { useReadablePages } from './pages/use-whole-pages.ts';
import { Preview } from './preview/preview.tsx';
import { Similar, NewerVersion, Versions } from './related-documents.tsx';
import { pageInSight } from './pages/use-wanted-page.ts';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const call = callFrom(context);
  const fid = documentIdOf(params.id, new URL(request.url).searchParams.get('fid'));
  const [reply, similar, versions, quote] = await Promise.all([
    call(getDetail, { fid }),
    // A page without its neighbours, or without the price of a download, is still a page.
    call(listSimilar, { fid }).catch(() => null),
    call(listVersions, { fid }).catch(() => null),
    call(quoteDownload, { fid }).catch(() => null),
  ]);
  if (reply.code === CODE.notFound) throw data(null, { status: isGone(reply.data) ? 410 : 404 });
  if (!reply.data?.detail) throw data(reply.message, { status: reply.code === CODE.tooFrequent ? 429 : 500 });
  const files = similar?.code === CODE.ok ? (similar.data?.files ?? []) : [];
  const others = versions?.code === CODE.ok ? (versions.data?.versions ?? []) : [];
  return {
    detail: reply.data.detail,
    isVisitor: reply.code === CODE.notLoggedIn,
    similar: files.map(toCardItem),
    versions: others,
    owned: await loadOwned(call, [...files, ...others.map(({ fid }) => ({ id: fid }))]),
    quote: quote?.code === CODE.ok ? quote.data : null,
  };
}

/** True when a refused call says that the document is gone: its data is `{gone: 1}` in place of the detail (C-75). */
const isGone = (refusal: object | null) => refusal !== null && 'gone' in refusal && refusal.gone === 1;

export function meta({ loaderData, matches, error }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  if (!loaderData) return failureMeta(root, error, '内容不存在或已下架');
  return detailMeta(loaderData.detail, root);
}

export default function DetailPage({ loaderData }: Route.ComponentProps) {
  // Nothing of a document stays for the next: an open question about coins would buy that one.
  return <Detail key={loaderData.detail.id} {...loaderData} />;
}

function Detail({ detail, isVisitor, similar, versions, quote, owned: loaded }: Route.ComponentProps['loaderData']) {
  const owned = useOwned([...similar.map(({ id }) => id), ...versions.map(({ fid }) => fid)], loaded);
  const download = useDownload(detail.id);
  const readable = useReadablePages(detail);
  useLoginPrompt(detail.id, isVisitor, previewPromise(detail.page_count));
  const isOffered = detail.preview_only === 0;
  return (
    <div className={styles['page']}>
      <DetailHeading
        detail={detail}
        // In a document with pages the share button stands above the pages.
        tools={
          <>
            <DetailFavorite detail={detail} look="tool" />
            <Link
              to={comparePath(detail.id)}
              className={styles['compare']}
              title="与另一份方案并排阅读，窗口需宽 1200 像素以上"
            >
              <CompareIcon size={18} /> 对比阅读
            </Link>
            <GroupButton fid={detail.id} look="tool" isResumed />
            {detail.page_urls.length === 0 && <ShareButton document={detail} page={() => 0} look="tool" />}
          </>
        }
      />
      <div className={styles['columns']}>
        <Preview detail={detail} isVisitor={isVisitor} download={download} quote={quote} />
        <aside className={styles['side']} aria-label="下载与信息">
          <div className={styles['action']} data-screen>
            <NewerVersion versions={versions} />
            {isOffered ? (
              <DownloadPanel download={download} quote={quote} price={detail.price} shape="card" />
            ) : (
              <PreviewOnly shape="card" />
            )}
          </div>
          <Facts detail={detail} />
          <Versions versions={versions} owned={owned} />
        </aside>
      </div>
      <Charts charts={detail.chart_list} previews={detail.page_urls.length} readable={readable} isOffered={isOffered} />
      <Outline detail={detail} isVisitor={isVisitor} />
      <Similar files={similar} owned={owned} />
      <div className={styles['bottom']} data-screen>
        <div className={styles['quick']}>
          <DetailFavorite detail={detail} look="stacked" />
          <ShareButton document={detail} page={pageInSight} look="stacked" />
          <GroupButton fid={detail.id} look="stacked" />
        </div>
        {isOffered ? (
          <DownloadPanel download={download} quote={quote} price={detail.price} shape="bar" />
        ) : (
          <PreviewOnly shape="bar" />
        )}
      </div>
      <DownloadDialogs download={download} />
      <StructuredData facts={(origin, siteName) => detailFacts(detail, origin, siteName)} />
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  // A refusal of the API, e.g. too many requests, comes with words of its own.
  if (status === 429 && isRouteErrorResponse(error))
    return <ErrorView error={new Error(String(error.data))} isInLayout />;
  if (status !== 404 && status !== 410) return <ErrorView error={error} isInLayout />;
  const way = (
    <LinkButton to="/report" look="primary" size="large">
      搜索方案
    </LinkButton>
  );
  return status === 410 ? (
    <NotFoundView title="这份方案已下架" text="它曾经在这里，现在已不再提供。您可以看看其他方案。">
      {way}
    </NotFoundView>
  ) : (
    <NotFoundView>{way}</NotFoundView>
  );
}
