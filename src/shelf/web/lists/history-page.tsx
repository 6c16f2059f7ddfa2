import { privateMeta } from '../../../accounts/web/private-page.tsx';
import { callFrom } from '../../../page-context.ts';
import { USER_CENTRE_PAGE_SIZE } from '../../contract.ts';
import { myHistory } from '../../contract-history.ts';
import type { Route } from './+types/history-page';
import { ReadList } from './read-list.tsx';
import { hrefOfPage, loadKept, pageOf } from './load-kept.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  return loadKept(
    callFrom(context)(myHistory, { page: pageOf(request), pageSize: USER_CENTRE_PAGE_SIZE }),
    (data) => data.files,
  );
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '阅读记录');
}

/** Renders /user/history (§2). */
export default function HistoryPage({ loaderData }: Route.ComponentProps) {
  return <ReadList title="阅读记录" loaded={loaderData} look="rows" hrefOf={hrefOfPage('/user/history')} />;
}
