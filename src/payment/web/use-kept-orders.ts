import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../../accounts/web/session.tsx';
import { isHeard, isStreamOpen, listenToOrders } from '../../membership/web/member/order-stream.ts';
import { readKeptOrders, writeKeptOrders, type KeptOrder } from './kept-orders.ts';
import { askStatus } from './pay-calls.ts';

/** Interval in milliseconds between polls of the orders while the event stream is not open. */
const ASK_EVERY_MS = 15_000;

type KeptOrders = {
  /** The newest first. */
  kept: readonly KeptOrder[];
  keep(order: KeptOrder): void;
  /** Tells of a payment, and forgets the order. The event stream, a poll and the open dialog may bring the word of one payment: the first counts. */
  pay(order: KeptOrder): void;
};

/** Facts at the moment when a payment was heard of. `newestName`: the item of the newest kept order; `wasLoading`: the page had not yet asked where its orders stand. */
type Heard = { newestName: string | undefined; wasLoading: boolean };

/**
 * Keeps the orders of this tab until they expire, over reloads of the page and over a session that ends: they are asked about when their
 * member is here again. A logout forgets them, and so does another member. Calls `onPaid` when one is paid, also while a dialog shows it:
 * the dialog may have nothing to sell any more, and then asks nothing itself.
 */
export function useKeptOrders(onPaid: (order: KeptOrder, heard: Heard) => void): KeptOrders {
  const { member, isLeaving } = useSession();
  const userId = member?.user_id ?? null;
  const [kept, setKept] = useState(() => readKeptOrders(Date.now()));
  const latest = useRef({ onPaid, kept });
  latest.current = { onPaid, kept };
  const told = useRef(new Set<string>());
  // True until the page's first question about its orders is answered. The event stream repeats the last minutes when it opens, and may be faster than that answer.
  const isLoading = useRef(userId !== null);

  const change = useCallback((next: (orders: readonly KeptOrder[]) => KeptOrder[]) => {
    const orders = next(latest.current.kept);
    latest.current = { ...latest.current, kept: orders };
    // Written at once: a payment loads the page again, which must not tell of the same order.
    writeKeptOrders(orders);
    setKept(orders);
  }, []);
  const pay = useCallback(
    (order: KeptOrder) => {
      if (told.current.has(order.outTradeNo)) return;
      told.current.add(order.outTradeNo);
      const [newest] = latest.current.kept;
      change((orders) => without(orders, order.outTradeNo));
      latest.current.onPaid(order, { newestName: newest?.name, wasLoading: isLoading.current });
    },
    [change],
  );
  const keep = useCallback(
    (order: KeptOrder) => {
      change((orders) => [order, ...without(orders, order.outTradeNo)]);
      // The answer with the code may come after the word of its payment, which no listener knew the order of.
      if (isHeard({ outTradeNo: order.outTradeNo, status: 'fulfilled' })) pay(order);
    },
    [change, pay],
  );

  useEffect(() => {
    const isKept = (order: KeptOrder) => (userId === null ? !isLeaving : order.userId === userId);
    if (!latest.current.kept.every(isKept)) change((orders) => orders.filter(isKept));
  }, [userId, isLeaving, change]);

  const askAll = useCallback(async () => {
    const ask = async (order: KeptOrder) => {
      if ((await askStatus(order)) === 'fulfilled') pay(order);
    };
    await Promise.all(latest.current.kept.map(ask));
  }, [pay]);
  useEffect(() => {
    const start = async () => {
      // Finds orders that were paid before the page was loaded, or while nobody was logged in.
      if (userId !== null) await askAll();
      isLoading.current = false;
    };
    void start();
  }, [userId, askAll]);

  const isWatching = userId !== null && kept.length > 0;
  useEffect(() => {
    if (!isWatching) return;
    const leave = listenToOrders({
      onOrder: ({ outTradeNo, status }) => {
        const order = latest.current.kept.find((each) => each.outTradeNo === outTradeNo);
        if (order && status === 'fulfilled') pay(order);
      },
      onReturn: () => void askAll(),
    });
    const timer = setInterval(() => {
      if (!latest.current.kept.every(isAlive)) change((orders) => orders.filter(isAlive));
      if (!document.hidden && !isStreamOpen()) void askAll();
    }, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [isWatching, change, pay, askAll]);
  return { kept, keep, pay };
}

const without = (orders: readonly KeptOrder[], outTradeNo: string) =>
  orders.filter((each) => each.outTradeNo !== outTradeNo);

const isAlive = ({ expiresAt }: KeptOrder) => expiresAt > Date.now();
