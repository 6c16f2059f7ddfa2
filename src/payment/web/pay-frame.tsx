import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { QrCode } from '../../ui/pictures/qr-code.tsx';
import { RefreshIcon } from '../../ui/pictures/tool-icons.tsx';
import { Clauses } from '../../ui/text/line-breaks.tsx';
import type { Channel } from '../ports.ts';
import { CHANNEL_TEXT } from '../rules.ts';
import { ChannelMark } from './channel-marks.tsx';
import styles from './pay-frame.module.css';
import type { PaidBefore, PayState } from './pay-state.ts';
import type { Payment } from './use-payment.ts';

/** `nothing`: the price list could not be loaded, or nothing is on sale. `useless`: the member has more than the offer already. */
export type Standing = 'loading' | 'nothing' | 'useless' | 'offered';

/** There is no code to pay with; the frame says why. */
export const isOver = ({ phase }: PayState) => phase === 'failed' || phase === 'over';

/** The QR code, sharp at any size, and what stands over it when it is not there to be scanned. */
export function PayFrame(props: {
  payment: Payment;
  standing: Standing;
  isVeiled: boolean;
  justPaid: string | null;
  /** The channel to turn to when the provider of the chosen one is away; undefined when there is none. */
  other: Channel | undefined;
  onChannel: (channel: Channel) => void;
}) {
  const { payment, standing, isVeiled, other } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { state } = payment;
  const { code } = state;
  const isLoading = standing === 'loading' || state.phase === 'loading';
  const leaving = (press: () => void) => () => {
    // The button that was pressed goes away with its message.
    frame.current?.focus({ preventScroll: true });
    press();
  };
  const refresh = leaving(payment.refresh);
  const change = other && state.failure?.isProviderAway && (
    <Button size="small" onClick={leaving(() => props.onChannel(other))}>
      改用{CHANNEL_TEXT[other]}
    </Button>
  );
  const isTelling = isOver(state);
  useEffect(() => {
    // On a phone the frame may lie below what is in sight.
    if (isTelling) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [isTelling]);
  const useless = <Message title="无需支付" text={props.justPaid ? `刚刚已支付：${props.justPaid}` : ''} />;
  const veil = standing === 'useless' ? useless : veilOf(state, { isVeiled, refresh, change });
  return (
    <div
      ref={frame}
      className={styles['frame']}
      role="group"
      aria-label="付款二维码区域"
      tabIndex={-1}
      data-phase={state.phase}
      aria-busy={isLoading}
    >
      {code && (
        <div className={styles['code']} data-veiled={veil !== null || undefined} aria-hidden={veil !== null}>
          <QrCode className={styles['qr']} hasMark text={code.content} label={`${CHANNEL_TEXT[code.channel]}二维码`} />
          <span className={styles['mark']}>
            <ChannelMark channel={code.channel} />
          </span>
        </div>
      )}
      {isLoading && <span className={styles['skeleton']} />}
      {/* Said aloud; the countdown is not. */}
      <div className={styles['veil']} role="status">
        {veil ?? (state.phase === 'waiting' && <span className="visually-hidden">二维码已就绪</span>)}
      </div>
    </div>
  );
}

function veilOf(
  state: PayState,
  { isVeiled, refresh, change }: { isVeiled: boolean; refresh: () => void; change: ReactNode },
): ReactNode {
  switch (state.phase) {
    case 'idle':
      return null;
    case 'loading':
      return <span className="visually-hidden">正在生成二维码</span>;
    case 'failed':
      return <Failure state={state} onRetry={refresh} change={change} />;
    case 'over':
      return <Over state={state} onRefresh={refresh} />;
    case 'waiting':
      return isVeiled ? <Message title="请先勾选上方协议" text="勾选后显示二维码" /> : null;
  }
}

function Failure({ state, onRetry, change }: { state: PayState; onRetry: () => void; change: ReactNode }) {
  const { failure } = state;
  const secondsLeft = useSecondsUntil(failure?.retryAt ?? null);
  return (
    <Message title="二维码没有出来" text={failure?.text ?? ''}>
      {failure?.retryAt ? (
        <p className={styles['small']} aria-hidden="true">
          {secondsLeft} 秒后自动重试
        </p>
      ) : (
        <Button look="primary" size="small" onClick={onRetry}>
          <RefreshIcon size={16} />
          重试
        </Button>
      )}
      {change}
    </Message>
  );
}

function Over({ state, onRefresh }: { state: PayState; onRefresh: () => void }) {
  if (state.before) {
    const { title, text, button } = beforeText(state.before);
    return (
      <Message title={title} text={text}>
        <Button size="small" onClick={onRefresh}>
          {button}
        </Button>
      </Message>
    );
  }
  const isRefunded = state.over === 'refunded';
  const text = isRefunded ? '这笔重复的付款将原路退回' : '若已付款请勿重复支付';
  return (
    <Message title={isRefunded ? '该订单已退款' : '二维码已失效'} text={text}>
      <Button look="primary" size="small" onClick={onRefresh}>
        <RefreshIcon size={16} />
        刷新二维码
      </Button>
    </Message>
  );
}

function beforeText({ over, name }: PaidBefore): { title: string; text: string; button: string } {
  switch (over) {
    case 'just-paid':
      return { title: `刚刚已支付：${name}`, text: '已到账，请勿重复支付', button: '继续购买' };
    case 'mismatch':
      return { title: '已收到付款，正在核实', text: '请勿重复支付，到账前可联系客服', button: '仍要购买' };
    case 'refunding':
      return { title: '有一笔付款正在退回', text: `「${name}」的款项将原路退回`, button: '仍要购买' };
  }
}

function Message(props: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={styles['message']}>
      <p className={styles['head']}>{props.title}</p>
      {props.text && (
        <p className={styles['small']}>
          <Clauses text={props.text} />
        </p>
      )}
      {props.children}
    </div>
  );
}

/** One line under the code: how to pay it, and how long it works. Not said aloud each second. */
export function Hint({ state, isVeiled, text }: { state: PayState; isVeiled: boolean; text: string }) {
  const seconds = useSecondsUntil(state.phase === 'waiting' ? state.endsAt : null);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p className={styles['hint']}>
      {state.phase === 'waiting' && !isVeiled ? (
        <>
          {text} <span aria-hidden="true">· {clock} 后失效</span>
        </>
      ) : (
        '\u00a0'
      )}
    </p>
  );
}

/** Returns the whole seconds until `at` (Unix milliseconds), counted down each second; 0 without one. */
function useSecondsUntil(at: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (at === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? 0 : Math.max(Math.ceil((at - now) / 1_000), 0);
}
