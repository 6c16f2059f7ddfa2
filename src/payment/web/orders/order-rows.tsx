import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/feedback/copy-button.tsx';
import { Clauses } from '../../../ui/text/line-breaks.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import type { OrderItem } from '../../contract.ts';
import { isOpen } from '../../rules.ts';
import { Facts, type Fact } from './facts.tsx';
import styles from './order-rows.module.css';
import {
  amountText,
  channelText,
  dueText,
  invoiceLabel,
  monthsText,
  noteOf,
  toneOf,
  validityText,
} from './order-text.ts';

/** The actions of the buyer on an order. */
type Ways = { onPay: (order: OrderItem) => void; onInvoice: (order: OrderItem) => void };

const COLUMNS = ['订单号', '开始日期', '会员类型', '有效期(月)', '实付金额(元)', '支付方式', '状态'];

/** Renders orders as a table (C-108), and as cards where the page is too narrow for it. */
export function OrderRows({ orders, ...ways }: { orders: OrderItem[] } & Ways) {
  return (
    <div className={styles['orders']}>
      <table className={styles['table']}>
        <caption className="visually-hidden">我的订单</caption>
        <Heads />
        <tbody>
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} {...ways} />
          ))}
        </tbody>
      </table>
      <ul className={styles['cards']}>
        {orders.map((order) => (
          <OrderCard key={order.id} order={order} {...ways} />
        ))}
      </ul>
    </div>
  );
}

function Heads() {
  return (
    <thead>
      <tr>
        {COLUMNS.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        <th scope="col">
          <span className="visually-hidden">操作</span>
        </th>
      </tr>
    </thead>
  );
}

function OrderRow({ order, ...ways }: { order: OrderItem } & Ways) {
  return (
    <tr>
      <td>
        <OrderNumber order={order} />
        <span className={styles['small']}>{momentText(order.create_time)} 下单</span>
      </td>
      <td className={styles['day']}>{order.startDate || '-'}</td>
      <td className={styles['item']}>{order.orderItemName}</td>
      <td>{monthsText(order)}</td>
      <td className={styles['amount']}>
        <Amount order={order} />
        {dueText(order) && <span className={styles['small']}>{dueText(order)}</span>}
      </td>
      <td className={styles['day']}>{channelText(order)}</td>
      <td>
        <OrderState order={order} />
      </td>
      <td className={styles['ways']}>
        <OrderWays order={order} {...ways} />
      </td>
    </tr>
  );
}

function OrderCard({ order, ...ways }: { order: OrderItem } & Ways) {
  const facts: Fact[] = [
    ['订单号', <OrderNumber key="number" order={order} />],
    ['下单时间', momentText(order.create_time)],
    ['支付方式', channelText(order)],
    ['有效期', validityText(order)],
    ['开始日期', order.startDate],
  ];
  return (
    <li className={styles['card']}>
      <div className={styles['head']}>
        <h2 className={styles['item']}>{order.orderItemName}</h2>
        <span className={styles['amount']}>{dueText(order) || <Amount order={order} />}</span>
      </div>
      <div className={styles['standing']}>
        <OrderState order={order} />
      </div>
      <Facts facts={facts} className={styles['facts']} />
      <div className={styles['ways']}>
        <OrderWays order={order} {...ways} />
      </div>
    </li>
  );
}

/** Renders the amount that was paid; struck out once it was refunded. */
function Amount({ order }: { order: OrderItem }) {
  if (order.status !== 'refunded') return amountText(order);
  return <s className={styles['returned']}>{amountText(order)}</s>;
}

function OrderNumber({ order }: { order: OrderItem }) {
  return (
    <span className={styles['no']}>
      {order.trade_no}
      <CopyButton value={order.trade_no} label="复制订单号" />
    </span>
  );
}

function OrderState({ order }: { order: OrderItem }) {
  const note = noteOf(order);
  return (
    <>
      <span className={styles['state']} data-tone={toneOf(order)}>
        {order.status_text}
      </span>
      {note && (
        <span className={styles['small']}>
          <Clauses text={note} />
        </span>
      )}
    </>
  );
}

function OrderWays({ order, onPay, onInvoice }: { order: OrderItem } & Ways) {
  const invoice = invoiceLabel(order);
  const what = `${order.orderItemName}，${momentText(order.create_time)} 下单`;
  return (
    <>
      {isOpen(order.status) && (
        <Button size="small" look="primary" aria-label={`继续支付 ${what}`} onClick={() => onPay(order)}>
          继续支付
        </Button>
      )}
      {/* One button in every state of the invoice: the focus returns to it from the dialog that changes the state. */}
      {invoice && (
        <Button
          size="small"
          className={order.invoice ? styles['invoice'] : undefined}
          data-refused={order.invoice?.status === 'refused' || undefined}
          aria-label={`${invoice} ${what}`}
          onClick={() => onInvoice(order)}
        >
          {invoice}
        </Button>
      )}
    </>
  );
}

/** Renders rows in the size of orders while a page of them loads. */
export function OrderRowsSkeleton({ count }: { count: number }) {
  const keys = Array.from({ length: count }, (_, index) => `waiting${index}`);
  return (
    <div className={styles['orders']} aria-hidden="true" data-waiting="">
      <table className={styles['table']}>
        <Heads />
        <tbody>
          {keys.map((key) => (
            <tr key={key}>
              {[...COLUMNS, '操作'].map((column) => (
                <td key={column}>
                  <span className={styles['blank']} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={styles['cards']}>
        {keys.map((key) => (
          <li key={key} className={styles['card']}>
            <span className={styles['blank']} />
            <span className={styles['blank']} />
            <span className={styles['blank']} />
          </li>
        ))}
      </ul>
    </div>
  );
}
