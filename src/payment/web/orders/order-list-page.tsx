import { UserCentreTitle } from '../../../accounts/web/user-centre-title.tsx';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { call } from '../../../accounts/web/call.ts';
import { isSessionOver } from '../../../accounts/web/credentials.ts';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { privateMeta, useSessionCheck } from '../../../accounts/web/private-page.tsx';
import { useSession } from '../../../accounts/web/session.tsx';
import { useOrderEvents } from '../../../membership/web/member/use-order-events.ts';
import { usePurchase } from '../../../membership/web/prices/purchase.tsx';
import { callFrom } from '../../../page-context.ts';
import { itemsOf, listPrices } from '../../../prices/contract.ts';
import { expectOk } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import { pageNumber } from '../../../protocol/paging.ts';
import { LinkButton } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../../ui/navigation/use-is-list-pending.ts';
import { yuan } from '../../../ui/text/format-text.ts';
import { listOrders, type OrderItem } from '../../contract.ts';
import { channelOf } from '../../rules.ts';
import type { Route } from './+types/order-list-page';
import { InvoiceDialog } from './invoice-dialog.tsx';
import { OrderRows, OrderRowsSkeleton } from './order-rows.tsx';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Orders on one page of 我的订单 (specification §9). */
const PAGE_SIZE = 10;

const hrefOf = (page: number) => (page === 1 ? '/user/order' : `/user/order?page=${page}`);

/** Loads a page of the member's orders; null for visitors, for whom the layout shows 请先登录 (C-17), and when they cannot be read. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const page = pageNumber.parse(new URL(request.url).searchParams.get('page') ?? 1);
  const reply = await callFrom(context)(listOrders, { page, pageSize: PAGE_SIZE, status: 'chosen' }).catch(() => null);
  return {
    orders: reply?.code === CODE.ok ? reply.data : null,
    isOver: reply !== null && isSessionOver(reply.code),
  };
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的订单');
}

/** Renders /user/order (§2): the member's orders, what can be done with each, and their invoices. */
export default function OrderListPage({ loaderData }: Route.ComponentProps) {
  const { member } = useSession();
  const { orders, isOver } = loaderData;
  useSessionCheck(isOver);
  const { state } = useRevalidator();
  const isPending = useIsListPending();
  if (!member) return null;
  const isWaiting = isPending || (orders === null && state === 'loading');
  return (
    <section aria-labelledby="orders-title" aria-busy={isWaiting}>
      <UserCentreTitle id="orders-title">我的订单</UserCentreTitle>
      {isWaiting ? (
        <OrderRowsSkeleton count={orders?.items.length || 3} />
      ) : orders === null ? (
        <LoadFailure title="暂时无法读取订单" text="已支付的订单不受影响，请稍后再试" />
      ) : orders.total === 0 ? (
        <NoOrders />
      ) : (
        <Orders orders={orders} />
      )}
      {orders && (
        <Pager page={orders.page} pageSize={orders.page_size} total={orders.total} hrefOf={hrefOf} label="订单" />
      )}
    </section>
  );
}

function Orders({ orders }: { orders: Answer<typeof listOrders> }) {
  const payOn = usePayOn();
  const [invoiceOf, setInvoiceOf] = useState<number | null>(null);
  useOrderEvents(orders.items.some(({ expire_at: expireAt }) => expireAt > 0));
  if (orders.items.length === 0)
    return (
      <Empty title="这一页没有订单" text={`一共 ${formatNumber(orders.total)} 笔，请回到第一页看看`}>
        <LinkButton to={hrefOf(1)}>回到第一页</LinkButton>
      </Empty>
    );
  return (
    <>
      <OrderRows orders={orders.items} onPay={payOn} onInvoice={({ id }: OrderItem) => setInvoiceOf(id)} />
      <InvoiceDialog
        order={orders.items.find(({ id }) => id === invoiceOf) ?? null}
        // A call that ends after its form was closed must not close the form that was opened since.
        onClose={() => setInvoiceOf((open) => (open === invoiceOf ? null : open))}
      />
    </>
  );
}

/** Returns how an order is paid later: in the dialog, which sells by the price list of now, while the order has the price of its own time. */
function usePayOn(): (order: OrderItem) => void {
  const { open } = usePurchase();
  const { send } = useSending();
  return ({ kind, item_id: itemId, pay_platform: platform, total_fee: totalFen }) =>
    send(async () => {
      const { pathname } = window.location;
      const prices = expectOk(await call(listPrices, {}));
      const item = itemsOf(prices).find(({ id }) => id === itemId);
      // Who has gone on to another page gets no dialog there.
      if (window.location.pathname !== pathname) return;
      if (!item) return toast.warning('该商品已下架');
      open({ kind, itemId, channel: channelOf(platform) });
      if (Math.round(item.price * 100) !== totalFen) toast.info(`价格已变化，现在为 ¥${yuan(item.price)}`);
    })();
}

function NoOrders() {
  return (
    <Empty title="您还没有支付过任何订单~">
      <LinkButton to="/aboutVip">看看会员与喵币</LinkButton>
    </Empty>
  );
}
