import { privateMeta } from '../../../accounts/web/private-page.tsx';
import { callFrom } from '../../../page-context.ts';
import { listRecords } from '../../contract-history.ts';
import type { Route } from './+types/my-record-page';
import { ReadList } from './read-list.tsx';
import { hrefOfPage, loadKept, pageOf } from './load-kept.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  return loadKept(callFrom(context)(listRecords, { page: pageOf(request), type: 1 }), (data) => data.data);
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的阅读');
}

/** Renders /myRecord (§2). */
export default function MyRecordPage({ loaderData }: Route.ComponentProps) {
  return <ReadList title="我的阅读" loaded={loaderData} look="cards" hrefOf={hrefOfPage('/myRecord')} />;
}
