import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { listenToOrders } from '../../membership/web/member/order-stream.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { isOrderStatus, isUnpaid, type OrderStatus } from '../rules.ts';
import { askCode, askLastOrder, askPaidBefore, askStatus } from './pay-calls.ts';
import {
  asksStatus,
  lookAnswerOf,
  NO_PAYMENT,
  nextPayState,
  POLLING,
  sitePoll,
  unaskedOf,
  userCentrePoll,
  type LookAnswer,
  type PayChoice,
  type PayCode,
  type PayState,
  type PayVariant,
} from './pay-state.ts';

export type Payment = {
  state: PayState;
  /** Makes a new QR code for the same choice. */
  refresh(): void;
  /** Asks about all orders of the dialog at once; the dialog has been told then. */
  lookNow(): Promise<LookAnswer>;
  isLooking: boolean;
};

/** The orders of this tab from dialogs that were closed, and how to keep one of this dialog. */
export type TabOrders = { earlier: readonly PayCode[]; keep(code: PayCode): void };

/**
 * Runs a payment while its dialog is open (§4): a QR code and an order for each choice, polling, and server-sent events, by which success
 * shows at once. Stands still in a hidden tab, and asks when the buyer returns. `onPaid` is called once, with the order. A payment that another
 * tab ordered loads the member again and does not end this one. `choice` null: nothing is to be paid now.
 */
export function usePayment(options: {
  variant: PayVariant;
  choice: PayChoice | null;
  fid: number | undefined;
  onPaid: (code: PayCode) => void;
  /** Told of an item that the server gives no code for; it may have gone off sale. */
  onRefused: (itemId: number) => void;
  tabOrders: TabOrders;
}): Payment {
  const { variant, fid } = options;
  const [state, tell] = useReducer(nextPayState, { ...NO_PAYMENT, issued: options.tabOrders.earlier });
  const { revalidate } = useRevalidator();
  const [isLooking, setIsLooking] = useState(false);
  const now = useRef({ state, options, revalidate });
  now.current = { state, options, revalidate };
  const isPaid = useRef(false);
  const asked = useRef<Promise<void>>(Promise.resolve());

  const { itemId = null, kind = null, channel = null } = options.choice ?? {};
  useEffect(() => {
    const isChosen = itemId !== null && kind !== null && channel !== null;
    tell({ type: 'chosen', choice: isChosen ? { itemId, kind, channel } : null });
  }, [itemId, kind, channel]);

  const pay = useCallback((code: PayCode) => {
    if (isPaid.current) return;
    isPaid.current = true;
    now.current.options.onPaid(code);
  }, []);

  /** Asks after a payment that another tab or device ordered: of the chosen kind it takes the code away, of the other kind it leaves it alone. */
  const askElsewhere = useCallback(async () => {
    const kind = now.current.state.choice?.kind;
    const found = kind ? await askPaidBefore(kind) : null;
    const before = found && unaskedOf(now.current.state, found);
    if (kind && before && !isPaid.current) tell({ type: 'paid-before', kind, before });
  }, []);

  /** Another tab has paid what it ordered. */
  const isElsewhereTold = useRef(false);
  const payElsewhere = useCallback(() => {
    if (isElsewhereTold.current) return;
    isElsewhereTold.current = true;
    toast.info('另一页的订单已支付');
    void now.current.revalidate();
    void askElsewhere();
  }, [askElsewhere]);

  /** Asks where one order stands, and tells the dialog; null when the server cannot say. */
  const look = useCallback(
    async (code: PayCode) => {
      const status = await askStatus(code);
      if (status === 'fulfilled') pay(code);
      else if (status) tell({ type: 'told', outTradeNo: code.outTradeNo, status });
      return status;
    },
    [pay],
  );

  const { round, phase } = state;
  const retryAt = state.failure?.retryAt ?? null;
  useEffect(() => {
    const { choice } = now.current.state;
    if (phase !== 'loading' || !choice) return;
    // One request at a time: the server takes the last one that it gets for the current choice.
    asked.current = asked.current.then(async () => {
      if (now.current.state.round !== round) return;
      if (!now.current.state.sure.includes(choice.kind)) {
        const found = await askPaidBefore(choice.kind);
        // The dialog's facts about the member may be older than a payment by the phone.
        if (found !== null) await now.current.revalidate();
        if (now.current.state.round !== round) return;
        const before = unaskedOf(now.current.state, found ?? []);
        if (before) return tell({ type: 'paid-before', kind: choice.kind, before });
      }
      const answer = await askCode(choice, fid);
      if (!('content' in answer)) {
        if (answer.isRefused) now.current.options.onRefused(choice.itemId);
        return tell({ type: 'failed', round, failure: answer });
      }
      // The answer to a superseded choice is an order of this dialog as well, so it is never dropped; nor when the dialog was closed meanwhile.
      now.current.options.tabOrders.keep(answer);
      tell({ type: 'issued', round, code: answer, at: Date.now(), variant });
    });
  }, [round, phase, fid, variant]);

  useEffect(() => {
    if (retryAt === null) return;
    const timer = setTimeout(() => tell({ type: 'refresh' }), Math.max(retryAt - Date.now(), 0));
    return () => clearTimeout(timer);
  }, [retryAt]);

  useEffect(() => {
    if (phase !== 'waiting') return;
    let isAsking = false;
    const poll = async () => {
      if (isAsking || isPaid.current) return;
      isAsking = true;
      const { current } = now;
      tell({ type: 'polled', at: Date.now(), variant });
      await (variant === 'site'
        ? pollSite(current.state, look, pay, payElsewhere)
        : pollUserCentre(current.state, look));
      isAsking = false;
    };
    const timer = setInterval(() => {
      // The expiry also runs in a hidden tab, which asks nothing, and while an answer is on its way (C-51).
      const at = Date.now();
      if (at >= now.current.state.endsAt) tell({ type: 'polled', at, variant });
      else if (!document.hidden) void poll();
    }, POLLING[variant].everyMs);
    return () => clearInterval(timer);
  }, [phase, round, variant, look, pay, payElsewhere]);

  const isOpen = itemId !== null;
  useEffect(() => {
    if (!isOpen) return;
    return listenToOrders({
      onOrder: ({ outTradeNo, status }) => {
        const code = now.current.state.issued.find((each) => each.outTradeNo === outTradeNo);
        if (code && status === 'fulfilled') pay(code);
        else if (code && isOrderStatus(status)) tell({ type: 'told', outTradeNo, status });
        else {
          void now.current.revalidate();
          void askElsewhere();
        }
      },
      // A buyer who paid in another app comes back to this tab.
      onReturn: () => now.current.state.issued.forEach((code) => void look(code)),
    });
  }, [isOpen, pay, look, askElsewhere]);

  const lookNow = useCallback(async () => {
    setIsLooking(true);
    const { issued, code, accepted } = now.current.state;
    const found = await Promise.all(
      issued.map(async (each) => ({ outTradeNo: each.outTradeNo, status: await look(each) })),
    );
    setIsLooking(false);
    return lookAnswerOf(found, code?.outTradeNo ?? '', accepted);
  }, [look]);

  const refresh = useCallback(async () => {
    const { code, over } = now.current.state;
    // An invalid code may have been paid in its last seconds: nobody is given another one then.
    const status = code && over === 'expired' ? await look(code) : null;
    if (status === null || isUnpaid(status)) tell({ type: 'refresh' });
  }, [look]);

  return { state, refresh: () => void refresh(), lookNow, isLooking };
}

type Look = (code: PayCode) => Promise<OrderStatus | null>;

async function pollUserCentre(state: PayState, look: Look): Promise<void> {
  const code = userCentrePoll(state);
  if (code) await look(code);
}

async function pollSite(
  state: PayState,
  look: Look,
  pay: (code: PayCode) => void,
  payElsewhere: () => void,
): Promise<void> {
  const poll = sitePoll(state);
  const code = state.issued.find(({ outTradeNo }) => outTradeNo === poll.out_trade_no) ?? null;
  const answer = await askLastOrder(poll);
  if (answer === 'paid') {
    if (code) pay(code);
    else payElsewhere();
  } else if (answer === 'unsure' && code) await look(code);
  if (asksStatus(state) && state.code) await look(state.code);
}
