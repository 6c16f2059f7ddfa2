import { useEffect, useState, type ReactNode } from 'react';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CheckIcon, PhoneIcon } from '../../../ui/pictures/icons.tsx';
import { RefreshIcon } from '../../../ui/pictures/tool-icons.tsx';
import { Tabs } from '../../../ui/navigation/tabs.tsx';
import { DemoPhone } from './demo-phone.tsx';
import styles from './scan-login.module.css';
import { refusalDetail } from './refusal-detail.ts';
import type { Scan } from './scan-state.ts';
import { useSession } from '../session.tsx';
import { useScanLogin, type ScanKind, type ScanPurpose } from './use-scan-login.ts';

const KINDS = [
  { value: 'mini', label: '小程序码' },
  { value: 'official', label: '公众号码' },
] as const;

const WORDS = {
  login: {
    title: '微信扫码登录',
    scanned: '请在手机上确认登录',
    cancelled: '已取消登录',
    done: '登录成功',
    after: '正在进入…',
  },
  prove: {
    title: '微信扫码验证',
    scanned: '请在手机上确认是您本人',
    cancelled: '没有通过验证',
    done: '验证成功',
    after: '',
  },
} as const satisfies Record<ScanPurpose, object>;

/** Renders 微信扫码登录, by each kind of QR code that this site offers (C-19). */
export function ScanLogin({ kinds, onOtherWay }: { kinds: readonly ScanKind[]; onOtherWay: () => void }) {
  const { completeLogin } = useSession();
  return (
    <div className={styles['scan']}>
      <Codes kinds={kinds} purpose="login" onDone={() => void completeLogin()} onOtherWay={onOtherWay} />
      <p className={styles['note']}>未注册的微信号将自动创建账号；已用手机号注册的，请用手机登录</p>
      <p className={styles['hand']}>
        正在用手机浏览？
        <Button look="plain" size="small" onClick={onOtherWay}>
          改用手机号登录
        </Button>
      </p>
    </div>
  );
}

/** Renders a scan by the WeChat of this account, which proves the owner. */
export function ScanProof({ kinds, onDone }: { kinds: readonly ScanKind[]; onDone: () => void }) {
  return (
    <div className={styles['scan']}>
      <Codes kinds={kinds} purpose="prove" onDone={onDone} />
    </div>
  );
}

type CodeProps = { purpose: ScanPurpose; onDone: () => void; onOtherWay?: () => void };

function Codes({ kinds, ...props }: CodeProps & { kinds: readonly ScanKind[] }) {
  const [kind, setKind] = useState<ScanKind>(kinds[0] ?? 'mini');
  return (
    <Tabs
      look="pill"
      label="二维码类型"
      tabs={KINDS.filter(({ value }) => kinds.includes(value))}
      value={kind}
      onChange={setKind}
    >
      {(value) => <Code kind={value} {...props} />}
    </Tabs>
  );
}

/** Returns whether this is WeChat's browser, which reads a QR code on its screen by a long press. */
function useIsInWeChat(): boolean {
  const [isInWeChat, setIsInWeChat] = useState(false);
  useEffect(() => setIsInWeChat(/MicroMessenger/i.test(navigator.userAgent)), []);
  return isInWeChat;
}

function Code({ kind, purpose, onDone, onOtherWay }: CodeProps & { kind: ScanKind }) {
  const [refusal, setRefusal] = useState('');
  const { scan, restart, fail } = useScanLogin(kind, purpose, { done: onDone, cancelled: setRefusal });
  const shown = scan.scenes.find(({ id }) => id === scan.scannedId) ?? scan.scenes[0];
  const isInWeChat = useIsInWeChat();
  const isMini = kind === 'mini';
  const how = isInWeChat ? '长按识别二维码' : '请用微信扫一扫';
  return (
    <>
      <h3 className={styles['title']}>{WORDS[purpose].title}</h3>
      <div className={styles['frame']} data-phase={scan.phase}>
        {shown && (
          <img
            key={shown.id}
            src={shown.image}
            alt={isMini ? '小程序登录码，请用微信扫一扫' : '公众号登录二维码，请用微信扫一扫'}
            width={200}
            height={200}
            onError={fail}
          />
        )}
        {/* The veil over a code that cannot be scanned. It is announced; the countdown is not. */}
        <div className={styles['state']} role="status">
          {veilOf({ scan, purpose, refusal, onRestart: restart, onOtherWay })}
        </div>
      </div>
      <p className={styles['hint']} aria-hidden={scan.phase !== 'waiting'}>
        {scan.phase === 'waiting' ? `${how} · ${scan.secondsLeft} 秒后刷新` : '\u00a0'}
      </p>
      <DemoPhone query={shown ? { scene: shown.id } : null} />
    </>
  );
}

function veilOf(props: {
  scan: Scan;
  purpose: ScanPurpose;
  refusal: string;
  onRestart: () => void;
  onOtherWay: (() => void) | undefined;
}): ReactNode {
  const { scan, refusal, onRestart, onOtherWay } = props;
  const words = WORDS[props.purpose];
  switch (scan.phase) {
    case 'waiting':
      return null;
    case 'loading':
      return <span className={styles['wait']}>正在加载二维码…</span>;
    case 'scanned':
      return (
        <Message icon={<PhoneIcon size={28} />} title="已扫码" text={words.scanned} isGood>
          <Button look="plain" size="small" onClick={onRestart}>
            换一个码
          </Button>
        </Message>
      );
    case 'done':
      return <Message icon={<CheckIcon size={28} />} title={words.done} text={words.after} isGood />;
    case 'cancelled':
      return (
        <Message title={words.cancelled} text={refusal === '用户取消' ? '请重新扫码' : refusal}>
          <Refresh onClick={onRestart}>重新扫码</Refresh>
        </Message>
      );
    case 'expired':
      return (
        <Message title="二维码已失效">
          <Refresh onClick={onRestart}>刷新二维码</Refresh>
        </Message>
      );
    case 'failed':
      return (
        <Message title="二维码加载失败" text={scan.why || '请检查网络后重试'}>
          <Refresh onClick={onRestart}>重试</Refresh>
          {scan.why && onOtherWay && (
            <Button look="plain" size="small" className={styles['other']} onClick={onOtherWay}>
              改用手机号登录
            </Button>
          )}
        </Message>
      );
  }
}

function Message(props: { title: string; text?: string; icon?: ReactNode; isGood?: boolean; children?: ReactNode }) {
  return (
    <div className={styles['message']}>
      {props.icon && (
        <span className={styles['icon']} data-good={props.isGood}>
          {props.icon}
        </span>
      )}
      <p className={styles['head']}>{props.title}</p>
      {props.text && <p className={styles['text']}>{props.text}</p>}
      {props.children}
    </div>
  );
}

function Refresh({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button look="primary" size="small" className={styles['refresh']} onClick={onClick}>
      <RefreshIcon size={16} />
      {children}
    </Button>
  );
}

/** Returns whether a reply asks the owner to scan first (code 43, `data.proof`). */
export const isScanWanted = (reply: { code: number; data: object | null }) =>
  reply.code === CODE.humanCheck && refusalDetail(reply.data, 'proof') === 'scan';
