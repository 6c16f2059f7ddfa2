import { useRevalidator } from 'react-router';
import type { Answer } from '../../../protocol/endpoint.ts';
import { isDue, type listOrders, type OrderItem } from '../../../payment/contract.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import styles from './recent-orders.module.css';
import { TitledSection } from './titled-section.tsx';
import { useOrderEvents } from './use-order-events.ts';

/** Renders the last orders with a link to all of them. `orders` null: they could not be read (C-100). Nothing before the first order. */
export function RecentOrders({ orders }: { orders: Answer<typeof listOrders> | null }) {
  useOrderEvents(orders?.items.some(({ expire_at: expireAt }) => expireAt > 0) ?? false);
  if (orders?.total === 0) return null;
  return (
    <TitledSection id="recent-orders-title" title="最近订单" href="/user/order" link="全部订单">
      {orders === null ? (
        <Failure />
      ) : (
        <ul className={styles['orders']}>
          {orders.items.map((order) => (
            <li key={order.id} className={styles['order']}>
              <span className={styles['item']}>{order.orderItemName}</span>
              <span className={styles['time']}>{momentText(order.create_time)}</span>
              <span className={styles['state']}>{order.status_text}</span>
              <Amount order={order} />
            </li>
          ))}
        </ul>
      )}
    </TitledSection>
  );
}

/** Renders the amount as the list of all orders does: struck out once it was refunded. */
function Amount({ order }: { order: OrderItem }) {
  const sum = `¥${(order.total_fee / 100).toFixed(2)}`;
  return (
    <span className={styles['amount']} data-light={isDue(order) || order.status === 'refunded' || undefined}>
      {isDue(order) && '应付 '}
      {order.status === 'refunded' ? <s>{sum}</s> : sum}
    </span>
  );
}

function Failure() {
  const { revalidate, state } = useRevalidator();
  return (
    <p className={styles['failure']} role="alert">
      暂时无法读取订单
      <Button size="small" disabled={state === 'loading'} onClick={() => void revalidate()}>
        重试
      </Button>
    </p>
  );
}
