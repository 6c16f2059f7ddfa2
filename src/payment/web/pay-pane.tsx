import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { DemoPhone, useOutsidePhone } from '../../accounts/web/login/demo-phone.tsx';
import { purchaseHash } from '../../membership/web/prices/purchase.tsx';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton, copyText } from '../../ui/controls/copy-button.tsx';
import { CheckIcon } from '../../ui/pictures/icons.tsx';
import { CopyIcon, RefreshIcon } from '../../ui/pictures/tool-icons.tsx';
import { yuan } from '../../ui/text/format-text.ts';
import { Clauses } from '../../ui/text/line-breaks.tsx';
import { QrCode } from '../../ui/pictures/qr-code.tsx';
import type { PriceItem } from '../../prices/contract.ts';
import type { Channel } from '../ports.ts';
import { CHANNEL_TEXT } from '../rules.ts';
import { ChannelMark } from './channel-marks.tsx';
import { payLinkOf, type Device } from './device.ts';
import type { Offer } from './offers.ts';
import { askPaidBefore } from './pay-calls.ts';
import styles from './pay-pane.module.css';
import type { LookAnswer, PaidBefore, PayCode, PayState, PayVariant } from './pay-state.ts';
import { usePayment, type Payment, type TabOrders } from './use-payment.ts';

/** `given`: this is not the first purchase. `open`: the QR code waits behind its veil for the tick (C-45). */
type Agreement = 'given' | 'ticked' | 'open';

const APP: Record<Channel, string> = { wechat: '微信', alipay: '支付宝' };

/** `nothing`: the price list could not be loaded, or nothing is on sale. `useless`: the member has more than the offer already. */
export type Standing = 'loading' | 'nothing' | 'useless' | 'offered';

/** There is no code to pay with; the frame says why. */
const isOver = ({ phase }: PayState) => phase === 'failed' || phase === 'over';

/** How the chosen offer is paid: channel, amount, QR code or the way of a phone, and what helps when it does not work. */
export function PayPane(props: {
  variant: PayVariant;
  /** Null while prices load, and when nothing is on sale. */
  offer: Offer | null;
  standing: Standing;
  channels: readonly Channel[];
  channel: Channel;
  onChannel: (channel: Channel) => void;
  device: Device;
  fid: number | undefined;
  agreement: Agreement;
  onAgree: (isAgreed: boolean) => void;
  onPaid: (code: PayCode) => void;
  tabOrders: TabOrders;
}) {
  const { offer, standing, channel, device, agreement } = props;
  const choice = offer && standing === 'offered' ? { itemId: offer.item.id, kind: offer.item.kind, channel } : null;
  const payment = usePayment({ ...props, choice });
  const isVeiled = agreement === 'open';
  const { state } = payment;
  const hasApp = channel === 'alipay' && (device === 'phone-browser' || device === 'alipay');
  const justPaid = useJustPaid(offer && standing === 'useless' ? offer.item.kind : null);
  const frame = <Frame payment={payment} standing={standing} isVeiled={isVeiled} justPaid={justPaid} />;
  const channelChoice = <Channels channels={props.channels} channel={channel} onChannel={props.onChannel} />;
  return (
    <section className={styles['pane']} aria-label="支付">
      {standing !== 'nothing' && (
        <>
          {standing === 'useless' ? (
            <>
              {channelChoice}
              {frame}
            </>
          ) : (
            <>
              <div className={styles['foot']}>
                {channelChoice}
                <Amount offer={offer} code={state.code} />
                <AgreementRow isLoading={standing === 'loading'} agreement={agreement} onTick={props.onAgree} />
                {hasApp && !isOver(state) && <OpenApp state={state} device={device} isVeiled={isVeiled} />}
              </div>
              {device === 'computer' ? (
                <>
                  {frame}
                  <Hint state={state} isVeiled={isVeiled} text={`打开${APP[channel]}，扫一扫付款`} />
                </>
              ) : (
                <PhoneWays {...props} state={state} isVeiled={isVeiled} hasApp={hasApp} frame={frame} />
              )}
            </>
          )}
          <DemoPhone
            query={state.phase === 'waiting' && state.code && !isVeiled ? { open: state.code.content } : null}
          />
          <LookNow payment={payment} isHidden={state.issued.length === 0 || standing === 'useless'} />
        </>
      )}
      <Trust
        outTradeNo={state.before?.outTradeNo ?? state.code?.outTradeNo ?? null}
        isOpen={state.over === 'mismatch' || state.over === 'refunding'}
      />
    </section>
  );
}

/** Returns the name of the offer of a kind that the member bought within the last minutes and cannot use twice; null when there is none. */
function useJustPaid(kind: PriceItem['kind'] | null): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    setName(null);
    if (!kind) return;
    let isCurrent = true;
    void askPaidBefore(kind).then((found) => {
      if (isCurrent) setName(found?.find(({ over }) => over === 'just-paid')?.name ?? null);
    });
    return () => void (isCurrent = false);
  }, [kind]);
  return name;
}

function Channels(props: { channels: readonly Channel[]; channel: Channel; onChannel: (channel: Channel) => void }) {
  return (
    <fieldset className={styles['channels']} data-single={props.channels.length === 1 || undefined}>
      <legend className="visually-hidden">支付方式</legend>
      {props.channels.map((each) => (
        <label key={each} className={styles['channel']}>
          <input
            type="radio"
            name="pay-channel"
            className="visually-hidden"
            checked={each === props.channel}
            onChange={() => props.onChannel(each)}
          />
          <ChannelMark channel={each} />
          {CHANNEL_TEXT[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** The amount of the order, which is the price of the moment it was made; before there is an order, that of the price list. */
function Amount({ offer, code }: { offer: Offer | null; code: PayCode | null }) {
  const price = code ? code.totalFen / 100 : offer?.item.price;
  return (
    <p className={styles['amount']}>
      <span className={styles['what']}>{offer?.name ?? '\u00a0'}</span>
      <span className={styles['sum']}>
        {price === undefined ? (
          <span className={styles['blank']} />
        ) : (
          <>
            <span className={styles['currency']}>¥</span>
            {yuan(price)}
          </>
        )}
      </span>
    </p>
  );
}

/** The agreement in a row of its own, which is there from the first paint: what stands below does not move. */
function AgreementRow(props: { isLoading: boolean; agreement: Agreement; onTick: (isTicked: boolean) => void }) {
  const { agreement } = props;
  const protocol = (
    <Link to="/protocol" target="_blank">
      《服务协议》
    </Link>
  );
  if (props.isLoading) return <p className={styles['agree']} />;
  if (agreement === 'given') {
    return (
      <p className={styles['agree']}>
        <span>付款即表示同意{protocol}</span>
      </p>
    );
  }
  return (
    <label className={styles['agree']}>
      <input
        type="checkbox"
        checked={agreement === 'ticked'}
        onChange={(event) => props.onTick(event.target.checked)}
      />
      <span>我已年满18周岁并同意{protocol}</span>
    </label>
  );
}

/** The QR code, sharp at any size, and what stands over it when it is not there to be scanned. */
function Frame(props: { payment: Payment; standing: Standing; isVeiled: boolean; justPaid: string | null }) {
  const { payment, standing, isVeiled } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { state } = payment;
  const { code } = state;
  const isLoading = standing === 'loading' || state.phase === 'loading';
  const refresh = () => {
    // The button that was pressed goes away with its message.
    frame.current?.focus({ preventScroll: true });
    payment.refresh();
  };
  const isTelling = isOver(state);
  useEffect(() => {
    // On a phone the frame may lie below what is in sight.
    if (isTelling) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [isTelling]);
  const useless = <Message title="无需支付" text={props.justPaid ? `刚刚已支付：${props.justPaid}` : ''} />;
  const veil = standing === 'useless' ? useless : veilOf(state, { isVeiled, refresh });
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

function veilOf(state: PayState, { isVeiled, refresh }: { isVeiled: boolean; refresh: () => void }): ReactNode {
  switch (state.phase) {
    case 'idle':
      return null;
    case 'loading':
      return <span className="visually-hidden">正在生成二维码</span>;
    case 'failed':
      return <Failure state={state} onRetry={refresh} />;
    case 'over':
      return <Over state={state} onRefresh={refresh} />;
    case 'waiting':
      return isVeiled ? <Message title="请先勾选上方协议" text="勾选后显示二维码" /> : null;
  }
}

function Failure({ state, onRetry }: { state: PayState; onRetry: () => void }) {
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
function Hint({ state, isVeiled, text }: { state: PayState; isVeiled: boolean; text: string }) {
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

/** Opens the app of Alipay with the order. */
function OpenApp({ state, device, isVeiled }: { state: PayState; device: Device; isVeiled: boolean }) {
  const phoneUrl = useOutsidePhone();
  const isReady = state.phase === 'waiting' && !isVeiled;
  const link = isReady && state.code ? payLinkOf(device, state.code, phoneUrl) : null;
  return (
    <a
      className={styles['open']}
      // Without an address it is no link: neither pressed nor focused.
      {...(link ? { href: link } : { 'aria-disabled': true, role: 'link' })}
      {...(phoneUrl && { target: '_blank', rel: 'noopener' })}
    >
      <ChannelMark channel="alipay" />
      {isVeiled ? '勾选上方协议后付款' : isReady ? '打开支付宝付款' : '请稍候…'}
    </a>
  );
}

/** The other means of payment on a phone, where nobody scans their own screen (docs/decisions/027). */
function PhoneWays(props: {
  state: PayState;
  device: Device;
  channel: Channel;
  channels: readonly Channel[];
  offer: Offer | null;
  isVeiled: boolean;
  /** The button that opens the app stands above. */
  hasApp: boolean;
  frame: ReactNode;
}) {
  const { state, device, channel, hasApp } = props;
  const [isCodeWanted, setIsCodeWanted] = useState(false);
  const isCodeShown = isCodeWanted || isOver(state);
  const ways = useRef<HTMLDivElement>(null);
  const shownChannel = useRef(channel);
  useEffect(() => {
    if (shownChannel.current === channel) return;
    shownChannel.current = channel;
    // On a small phone the way of another channel lies below what is in sight.
    ways.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [channel]);
  return (
    <div ref={ways} className={styles['phone']}>
      {!hasApp && <OtherDevice channel={channel} device={device} channels={props.channels} />}
      {!hasApp && props.offer && <CopyPayLink itemId={props.offer.item.id} />}
      {isCodeShown ? (
        <>
          {props.frame}
          <Hint state={state} isVeiled={props.isVeiled} text={`用另一台手机的${APP[channel]}扫一扫`} />
        </>
      ) : (
        <Button look="plain" className={styles['show']} onClick={() => setIsCodeWanted(true)}>
          显示二维码，用另一台手机扫
        </Button>
      )}
    </div>
  );
}

function OtherDevice(props: { channel: Channel; device: Device; channels: readonly Channel[] }) {
  const { channel, device } = props;
  if (channel === 'alipay') {
    return (
      <p className={styles['guide']}>
        微信里打不开支付宝：点右上角「···」，选择<b>在浏览器打开</b>，再用支付宝付款；也可以换一台设备：
      </p>
    );
  }
  const canSwitch = props.channels.includes('alipay');
  return (
    <p className={styles['guide']}>
      微信支付只能扫码，不能在这台手机上直接付。
      {canSwitch && device !== 'wechat' && '可改用支付宝，或'}
      {canSwitch && device === 'wechat' && '可在浏览器打开本页改用支付宝，或'}
      把付款链接发到电脑上打开，用本机微信扫一扫：
    </p>
  );
}

/** Copies the link that opens this purchase on a computer. The same choice is the same order there (C-47), so this page hears of it. */
function CopyPayLink({ itemId }: { itemId: number }) {
  const root = useRootData();
  const id = useId();
  const [said, setSaid] = useState('');
  const link = `${root?.origin ?? window.location.origin}/aboutVip${purchaseHash(itemId)}`;
  const copy = async () => {
    const isCopied = await copyText(link, document.getElementById(id) ?? undefined);
    setSaid(isCopied ? '已复制，发到电脑上打开' : '复制失败，请长按上面的链接');
  };
  return (
    <div id={id} className={styles['copy']}>
      {said.startsWith('复制失败') && <p className={styles['link']}>{link}</p>}
      <Button className={styles['wide']} onClick={() => void copy()}>
        {said.startsWith('已') ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
        {said || '复制付款链接'}
      </Button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  );
}

/** The text under the button 我已付款，立即查询. Empty when the dialog or its veil says the result already. */
const LOOK_TEXT: Record<LookAnswer, string> = {
  paid: '',
  told: '',
  unpaid: '还没有查到付款。付款后通常几秒内到账，请勿重复支付。',
  unknown: '网络不通，没有查到结果，请稍后再试',
};

/** For a buyer who has paid and sees nothing happen. */
function LookNow({ payment, isHidden }: { payment: Payment; isHidden: boolean }) {
  const [said, setSaid] = useState('');
  const { state, lookNow, isLooking } = payment;
  const { round } = state;
  useEffect(() => setSaid(''), [round]);
  const look = async () => {
    setSaid('');
    setSaid(LOOK_TEXT[await lookNow()]);
  };
  return (
    <div className={styles['look']} data-hidden={isHidden || undefined}>
      <Button size="small" aria-disabled={isLooking} onClick={() => !isLooking && void look()}>
        {isLooking ? '正在查询…' : '我已付款，立即查询'}
      </Button>
      <p role="status" className={styles['small']}>
        {said}
      </p>
    </div>
  );
}

/** Names the merchant and the customer service; `isOpen` shows the contact at once, where the buyer has a reason to ask. */
function Trust({ outTradeNo, isOpen }: { outTradeNo: string | null; isOpen: boolean }) {
  const site = useRootData()?.site;
  if (!site) return null;
  return (
    <div className={styles['trust']}>
      <p>收款商户：{site.companyName}</p>
      <details open={isOpen}>
        <summary>支付遇到问题？</summary>
        <p>
          客服电话 <a href={`tel:${site.companyPhone}`}>{site.companyPhone}</a>，邮箱{' '}
          <a href={`mailto:${site.companyEmail}`}>{site.companyEmail}</a>
        </p>
        {outTradeNo && (
          <p>
            订单号 {outTradeNo}
            <CopyButton value={outTradeNo} label="复制订单号" />
          </p>
        )}
      </details>
    </div>
  );
}
