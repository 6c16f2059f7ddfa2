import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenToOrders, type OrderListener } from './order-stream.ts';

class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: FakeStream[] = [];
  readyState = 1;
  readonly path: string;
  constructor(path: string) {
    super();
    this.path = path;
    FakeStream.opened.push(this);
  }
  close() {
    this.readyState = FakeStream.CLOSED;
  }
  tell(event: object) {
    this.dispatchEvent(new MessageEvent('paid', { data: JSON.stringify(event) }));
  }
}

const open = () => FakeStream.opened.filter(({ readyState }) => readyState !== FakeStream.CLOSED);
const page = Object.assign(new EventTarget(), { hidden: false });
const hide = (hidden: boolean) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
};
const listener = () => ({ onOrder: vi.fn<OrderListener['onOrder']>(), onReturn: vi.fn<() => void>() });

beforeEach(() => {
  FakeStream.opened.length = 0;
  page.hidden = false;
  vi.stubGlobal('EventSource', FakeStream);
  vi.stubGlobal('document', page);
});
afterEach(() => vi.unstubAllGlobals());

it('is one stream for all who listen, and ends with the last', () => {
  const [first, second] = [listener(), listener()];
  const leaves = [listenToOrders(first), listenToOrders(second)];
  expect(FakeStream.opened.map(({ path }) => path)).toEqual(['/api/pay/events']);
  FakeStream.opened[0]?.tell({ out_trade_no: 'M1', status: 'fulfilled' });
  FakeStream.opened[0]?.tell({ out_trade_no: 'M2' });
  for (const { onOrder } of [first, second])
    expect(onOrder.mock.calls).toEqual([[{ outTradeNo: 'M1', status: 'fulfilled' }]]);
  leaves[0]?.();
  expect(open()).toHaveLength(1);
  leaves[1]?.();
  expect(open()).toHaveLength(0);
});

it('is closed while the tab is hidden; on the return it opens again, and everybody asks what they missed', () => {
  const one = listener();
  const leave = listenToOrders(one);
  hide(true);
  expect(open()).toHaveLength(0);
  expect(one.onReturn).not.toHaveBeenCalled();
  hide(false);
  expect(open()).toHaveLength(1);
  expect(one.onReturn).toHaveBeenCalledTimes(1);
  leave();
  hide(true);
  hide(false);
  expect(open()).toHaveLength(0);
  expect(one.onReturn).toHaveBeenCalledTimes(1);
});

it('begins in a hidden tab when the reader comes', () => {
  page.hidden = true;
  const leave = listenToOrders(listener());
  expect(open()).toHaveLength(0);
  hide(false);
  expect(open()).toHaveLength(1);
  leave();
});

it('tells each state of an order once, also when the stream opens again and repeats it', () => {
  const one = listener();
  const leave = listenToOrders(one);
  const tell = (status: string) => FakeStream.opened.at(-1)?.tell({ out_trade_no: 'M3', status });
  tell('mismatch');
  hide(true);
  hide(false);
  expect(FakeStream.opened).toHaveLength(2);
  tell('mismatch');
  tell('fulfilled');
  expect(one.onOrder.mock.calls.map(([{ status }]) => status)).toEqual(['mismatch', 'fulfilled']);
  leave();
});
