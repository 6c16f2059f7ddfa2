import { privateMeta } from '../../../accounts/web/private-page.tsx';
import { callFrom } from '../../../page-context.ts';
import { USER_CENTRE_PAGE_SIZE } from '../../contract.ts';
import { myDownload } from '../../contract-history.ts';
import type { Route } from './+types/download-page';
import { DownloadList } from './download-list.tsx';
import { hrefOfPage, loadKept, pageOf } from './load-kept.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  return loadKept(
    callFrom(context)(myDownload, { page: pageOf(request), pageSize: USER_CENTRE_PAGE_SIZE }),
    (data) => data.files,
  );
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '下载记录');
}

/** Renders /user/download (§2). */
export default function DownloadPage({ loaderData }: Route.ComponentProps) {
  return <DownloadList title="下载记录" loaded={loaderData} look="rows" hrefOf={hrefOfPage('/user/download')} />;
}
