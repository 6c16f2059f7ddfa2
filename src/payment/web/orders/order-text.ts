import { LIFETIME_DAYS } from '../../../membership/rules.ts';
import { momentText } from '../../../ui/text/format-text.ts';
import { isDue, type OrderItem } from '../../contract.ts';
import { CHANNEL_TEXT, channelOf, isOpen, isUnpaid } from '../../rules.ts';

/** Returns what was paid, in yuan; `-` for an order that nothing was paid for. */
export const amountText = (order: OrderItem): string => (isUnpaid(order.status) ? '-' : sumText(order));

/** Returns what is to be paid as 应付 ¥998.00; "" for an order that was paid or is closed. */
export const dueText = (order: OrderItem): string => (isDue(order) ? `应付 ${sumText(order)}` : '');

/** Two decimals, as C-06 writes sums of orders. */
const sumText = (order: OrderItem) => `¥${(order.total_fee / 100).toFixed(2)}`;

export const channelText = (order: OrderItem): string => CHANNEL_TEXT[channelOf(order.pay_platform)];

/** Returns the months of a membership; `-` for coins, which have no term (C-58). */
export const monthsText = (order: OrderItem): string => (order.validMonth === 0 ? '-' : String(order.validMonth));

/** Returns how long a membership runs, as 12 个月; 终身 for life, "" for coins. */
export function validityText({ validMonth }: OrderItem): string {
  if (validMonth === 0) return '';
  return validMonth > LIFETIME_MONTHS ? '终身' : `${validMonth} 个月`;
}

const LIFETIME_MONTHS = (LIFETIME_DAYS * 12) / 365;

/** Returns what the buyer should know beside the state; "" where the state says it all. */
export function noteOf(order: OrderItem): string {
  switch (order.status) {
    case 'created':
    case 'pending':
      return `请在 ${momentText(order.expire_at).slice(11)} 前支付`;
    case 'mismatch':
      return '已收到付款，客服核实中';
    case 'refunding':
      return `${whyRefunded(order)}款项将原路退回`;
    case 'refunded':
      if (order.refund_elsewhere === 1) return `${whyRefunded(order)}款项已退回`;
      return order.refund_time > 0
        ? `${whyRefunded(order)}${momentText(order.refund_time).slice(0, 10)} 原路退回`
        : `${whyRefunded(order)}款项已原路退回`;
    case 'closed':
    case 'fulfilled':
      return '';
  }
}

const WHY_REFUNDED: Record<OrderItem['refund_reason'], string> = {
  '': '',
  duplicate: '重复支付',
  mismatch: '金额不符',
  operator: '',
};

function whyRefunded({ refund_reason: reason }: OrderItem): string {
  const why = WHY_REFUNDED[reason];
  return why && `${why}，`;
}

/** How the state looks: `done` the buyer has the goods, `wanted` the buyer has to act, `moving` the site acts, `over` nothing follows. */
export function toneOf({ status }: OrderItem): 'done' | 'wanted' | 'moving' | 'over' {
  if (status === 'fulfilled') return 'done';
  if (isOpen(status)) return 'wanted';
  return status === 'closed' || status === 'refunded' ? 'over' : 'moving';
}

const INVOICE_LABEL: Record<NonNullable<OrderItem['invoice']>['status'], string> = {
  requested: '开票中',
  issued: '查看发票',
  refused: '发票未通过',
  cancelled: '发票已取消',
  voided: '发票已红冲',
};

/** Returns the name of the button that leads to the invoice of an order; null for an order without one. */
export function invoiceLabel(order: OrderItem): string | null {
  if (order.invoice) return INVOICE_LABEL[order.invoice.status];
  return order.can_invoice === 1 ? '申请发票' : null;
}
