import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useOutsidePhone } from '../../accounts/web/login/demo-phone.tsx';
import { purchaseHash } from '../../membership/web/prices/purchase.tsx';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/feedback/copy-button.tsx';
import { CheckIcon } from '../../ui/pictures/icons.tsx';
import { CopyIcon } from '../../ui/pictures/tool-icons.tsx';
import type { Channel } from '../ports.ts';
import { ChannelMark } from './channel-marks.tsx';
import { payLinkOf, type Device } from './device.ts';
import type { Offer } from './offers.ts';
import { Hint, isOver } from './pay-frame.tsx';
import type { PayState } from './pay-state.ts';
import styles from './phone-ways.module.css';

export const APP: Record<Channel, string> = { wechat: '微信', alipay: '支付宝' };

/** Opens the app of Alipay with the order. */
export function OpenApp({ state, device, isVeiled }: { state: PayState; device: Device; isVeiled: boolean }) {
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
export function PhoneWays(props: {
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
