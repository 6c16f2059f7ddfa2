import { useCallback, useEffect, useRef, useState } from 'react';
import { listenToOrders } from '../../membership/web/member/order-stream.ts';
import { askStatus } from './pay-calls.ts';
import type { PayCode } from './pay-state.ts';

/** An order that this tab showed a QR code of, with what goes on after its payment. It can be paid after its dialog was closed. */
export type KeptOrder = PayCode & { name: string; finish: (said: string) => void };

/**
 * Keeps the orders of this tab until they expire. While `isWatching`, which is while no dialog shows them, it hears of their payments and calls
 * `onPaid`; the open dialog hears of them by itself.
 */
export function useKeptOrders(isWatching: boolean, onPaid: (order: KeptOrder) => void) {
  const [kept, setKept] = useState<readonly KeptOrder[]>([]);
  const told = useRef(new Set<string>());
  const latest = useRef(onPaid);
  latest.current = onPaid;
  const keep = useCallback((order: KeptOrder) => setKept((orders) => [order, ...without(orders, order)]), []);
  /** Returns an order of which nothing more is to be heard; null for the second word of one payment, which the stream and an answer may bring. */
  const take = useCallback(
    (outTradeNo: string): KeptOrder | null => {
      const order = kept.find((each) => each.outTradeNo === outTradeNo);
      if (!order || told.current.has(outTradeNo)) return null;
      told.current.add(outTradeNo);
      setKept((orders) => without(orders, order));
      return order;
    },
    [kept],
  );

  useEffect(() => {
    if (!isWatching || kept.length === 0) return;
    const pay = (outTradeNo: string) => {
      const order = take(outTradeNo);
      if (order) latest.current(order);
    };
    const leave = listenToOrders({
      onOrder: ({ outTradeNo, status }) => {
        if (status === 'fulfilled') pay(outTradeNo);
      },
      onReturn: () =>
        kept.forEach((order) => {
          void askStatus(order).then((status) => status === 'fulfilled' && pay(order.outTradeNo));
        }),
    });
    const next = Math.min(...kept.map(({ expiresAt }) => expiresAt));
    const timer = setTimeout(() => setKept((orders) => orders.filter(isAlive)), Math.max(next - Date.now(), 0));
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [isWatching, kept, take]);
  return { kept, keep, take };
}

const without = (orders: readonly KeptOrder[], { outTradeNo }: PayCode) =>
  orders.filter((each) => each.outTradeNo !== outTradeNo);

const isAlive = ({ expiresAt }: PayCode) => expiresAt > Date.now();
