import { privateMeta } from '../../../accounts/web/private-page.tsx';
import { callFrom } from '../../../page-context.ts';
import { listRecords } from '../../contract-history.ts';
import type { Route } from './+types/my-download-page';
import { DownloadList } from './download-list.tsx';
import { hrefOfPage, loadKept, pageOf } from './load-kept.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  return loadKept(callFrom(context)(listRecords, { page: pageOf(request), type: 2 }), (data) => data.data);
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的下载');
}

/** Renders /myDownload (§2). */
export default function MyDownloadPage({ loaderData }: Route.ComponentProps) {
  return <DownloadList title="我的下载" loaded={loaderData} look="cards" hrefOf={hrefOfPage('/myDownload')} />;
}
