import { isSessionOver } from '../../../accounts/web/credentials.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import { privateMeta, useSessionCheck } from '../../../accounts/web/private-page.tsx';
import { UserCentreTitle } from '../../../accounts/web/user-centre-title.tsx';
import { callFrom } from '../../../page-context.ts';
import { listOrders } from '../../../payment/contract.ts';
import { listPrices } from '../../../prices/contract.ts';
import { CODE } from '../../../protocol/codes.ts';
import { pageNumber } from '../../../protocol/paging.ts';
import { listCoinRecords } from '../../contract.ts';
import type { Route } from './+types/user-home-page';
import { CoinRecords } from './coin-records.tsx';
import { offeredPlans, PlanOffers } from './plan-offers.tsx';
import { RecentOrders } from './recent-orders.tsx';
import { UserStanding } from './user-standing.tsx';

const PAGE_SIZE = 10;
const RECENT_ORDERS = 3;

/**
 * Loads the member's ledger entries and last orders, and the memberships on sale; null for visitors, for whom the layout shows 请先登录 (C-17), and where
 * they cannot be read.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const page = pageNumber.parse(new URL(request.url).searchParams.get('page') ?? 1);
  const call = callFrom(context);
  const [reply, orders, prices] = await Promise.all([
    call(listCoinRecords, { page, pageSize: PAGE_SIZE }).catch(() => null),
    call(listOrders, { pageSize: RECENT_ORDERS, status: 'chosen' }).catch(() => null),
    call(listPrices, {}).catch(() => null),
  ]);
  return {
    records: reply?.code === CODE.ok ? reply.data : null,
    orders: orders?.code === CODE.ok ? orders.data : null,
    plans: prices?.data?.items ?? null,
    isOver: reply !== null && isSessionOver(reply.code),
  };
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的会员');
}

/** Renders /user/index: membership and quotas, the memberships on sale, the last orders, and every movement of coins. */
export default function UserHomePage({ loaderData }: Route.ComponentProps) {
  const { member } = useSession();
  useSessionCheck(loaderData.isOver);
  if (!member) return null;
  const offered = offeredPlans(loaderData.plans, member);
  return (
    <>
      <UserCentreTitle>我的会员</UserCentreTitle>
      <UserStanding member={member} hasOffers={offered.length > 0} />
      <PlanOffers offered={offered} member={member} />
      <RecentOrders orders={loaderData.orders} />
      <CoinRecords records={loaderData.records} />
    </>
  );
}
