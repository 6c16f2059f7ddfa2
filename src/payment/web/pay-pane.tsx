import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { DemoPhone } from '../../accounts/web/login/demo-phone.tsx';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import { yuan } from '../../ui/text/format-text.ts';
import type { PriceItem } from '../../prices/contract.ts';
import type { Channel } from '../ports.ts';
import { CHANNEL_TEXT } from '../rules.ts';
import { ChannelMark } from './channel-marks.tsx';
import type { Device } from './device.ts';
import type { Offer } from './offers.ts';
import { askPaidBefore } from './pay-calls.ts';
import { Hint, isOver, PayFrame, type Standing } from './pay-frame.tsx';
import styles from './pay-pane.module.css';
import type { LookAnswer, PayCode, PayVariant } from './pay-state.ts';
import { APP, OpenApp, PhoneWays } from './phone-ways.tsx';
import { usePayment, type Payment, type TabOrders } from './use-payment.ts';

/** `given`: this is not the first purchase. `open`: the QR code waits behind its veil for the tick (C-45). */
type Agreement = 'given' | 'ticked' | 'open';

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
  onRefused: (itemId: number) => void;
  tabOrders: TabOrders;
}) {
  const { offer, standing, channel, device, agreement } = props;
  const choice = offer && standing === 'offered' ? { itemId: offer.item.id, kind: offer.item.kind, channel } : null;
  const payment = usePayment({ ...props, choice });
  const isVeiled = agreement === 'open';
  const { state } = payment;
  const hasApp = channel === 'alipay' && (device === 'phone-browser' || device === 'alipay');
  const justPaid = useJustPaid(offer && standing === 'useless' ? offer.item.kind : null);
  const other = props.channels.find((each) => each !== channel);
  const frame = <PayFrame {...props} {...{ payment, isVeiled, justPaid, other }} />;
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

/** The text under the button 我已付款，立即查询. Empty when the dialog or its veil says the result already. */
const LOOK_TEXT: Record<LookAnswer, string> = {
  paid: '',
  told: '',
  unpaid: '还没有查到付款，通常几秒内到账，请勿重复支付',
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
      <p role="status" className={styles['said']}>
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
