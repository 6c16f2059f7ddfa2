import { EVENTS_PATH } from '../../../payment/contract.ts';

/** The event that the site sends when an order was paid. */
type OrderEvent = { outTradeNo: string; status: string };

export type OrderListener = {
  onOrder(event: OrderEvent): void;
  /** The reader comes back to this tab. What happened meanwhile is told for the last minutes alone, so it has to be asked for. */
  onReturn(): void;
};

const listeners = new Set<OrderListener>();
/**
 * All listeners of this tab share one event stream. It is closed while the tab is hidden, because an open stream keeps one
 * connection busy and a browser opens at most six HTTP/1.1 connections to a site, counted over all its tabs.
 */
let stream: EventSource | null = null;
/** The states of orders that the stream has told this tab. A stream that connects again repeats the last minutes, and listeners must hear of a state once. */
const heard = new Set<string>();

/** Tells `listener` of each order of the member that money comes for, until the returned function is called. */
export function listenToOrders(listener: OrderListener): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', onVisibility);
  listeners.add(listener);
  adjust();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) document.removeEventListener('visibilitychange', onVisibility);
    adjust();
  };
}

/** Returns whether the event stream is connected; while it is not, payments have to be asked for. */
export const isStreamOpen = (): boolean => stream?.readyState === EventSource.OPEN;

/** Returns whether the stream has told this tab of a state of an order; also before the tab knew the order. */
export const isHeard = ({ outTradeNo, status }: OrderEvent): boolean => heard.has(`${outTradeNo} ${status}`);

function onVisibility(): void {
  adjust();
  if (!document.hidden) for (const listener of listeners) listener.onReturn();
}

function adjust(): void {
  const isWanted = listeners.size > 0 && !document.hidden;
  if (!isWanted) {
    stream?.close();
    stream = null;
  } else if (!stream || stream.readyState === EventSource.CLOSED) {
    // The browser connects again by itself; where it cannot, the polls of an open dialog find the payment.
    stream = new EventSource(EVENTS_PATH);
    stream.addEventListener('paid', onPaid);
  }
}

function onPaid({ data }: MessageEvent<string>): void {
  const event: unknown = JSON.parse(data);
  if (typeof event !== 'object' || event === null || !('out_trade_no' in event) || !('status' in event)) return;
  const { out_trade_no: outTradeNo, status } = event;
  if (typeof outTradeNo !== 'string' || typeof status !== 'string') return;
  if (isHeard({ outTradeNo, status })) return;
  heard.add(`${outTradeNo} ${status}`);
  for (const listener of listeners) listener.onOrder({ outTradeNo, status });
}
