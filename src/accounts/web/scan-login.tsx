import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { CheckIcon, PhoneIcon, RefreshIcon } from '../../ui/icons.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DemoPhone } from './demo-phone.tsx';
import styles from './scan-login.module.css';
import type { Scan } from './scan-state.ts';
import { useSession } from './session.tsx';
import { useScanLogin, type ScanKind } from './use-scan-login.ts';

const KINDS = [
  { value: 'mini', label: '小程序码' },
  { value: 'official', label: '公众号码' },
] as const;

/** 微信扫码登录, by either kind of code that this site offers (C-19). */
export function ScanLogin({ kinds, onOtherWay }: { kinds: readonly ScanKind[]; onOtherWay: () => void }) {
  const [kind, setKind] = useState<ScanKind>(kinds[0] ?? 'mini');
  return (
    <div className={styles['scan']}>
      <Tabs
        look="pill"
        label="二维码类型"
        tabs={KINDS.filter(({ value }) => kinds.includes(value))}
        value={kind}
        onChange={setKind}
      >
        {(value) => <Code kind={value} />}
      </Tabs>
      <p className={styles['note']}>未注册的微信号将自动创建账号</p>
      <p className={styles['hand']}>
        正在用手机浏览？
        <button type="button" onClick={onOtherWay}>
          改用手机号登录
        </button>
      </p>
    </div>
  );
}

function Code({ kind }: { kind: ScanKind }) {
  const { completeLogin } = useSession();
  const [refusal, setRefusal] = useState('');
  const { scan, restart, fail } = useScanLogin(kind, { done: () => void completeLogin(), cancelled: setRefusal });
  const shown = scan.scenes.find(({ id }) => id === scan.scannedId) ?? scan.scenes[0];
  const isMini = kind === 'mini';
  return (
    <>
      <h3 className={styles['title']}>微信扫码登录</h3>
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
        <Veil scan={scan} refusal={refusal} onRestart={restart} />
      </div>
      <p className={styles['hint']} aria-hidden={scan.phase !== 'waiting'}>
        {scan.phase === 'waiting' ? `请用微信扫一扫 · ${scan.secondsLeft} 秒后刷新` : '\u00a0'}
      </p>
      <DemoPhone query={shown ? { scene: shown.id } : null} />
    </>
  );
}

/** What stands over the code when it is not there to be scanned. Said aloud, the countdown is not. */
function Veil({ scan, refusal, onRestart }: { scan: Scan; refusal: string; onRestart: () => void }) {
  return (
    <div className={styles['state']} role="status">
      {veilOf(scan, refusal, onRestart)}
    </div>
  );
}

function veilOf(scan: Scan, refusal: string, onRestart: () => void): ReactNode {
  switch (scan.phase) {
    case 'waiting':
      return null;
    case 'loading':
      return <span className={styles['wait']}>正在加载二维码…</span>;
    case 'scanned':
      return (
        <Message icon={<PhoneIcon size={28} />} title="已扫码" text="请在手机上确认登录" isGood>
          <Button look="plain" size="small" onClick={onRestart}>
            换一个码
          </Button>
        </Message>
      );
    case 'done':
      return <Message icon={<CheckIcon size={28} />} title="登录成功" text="正在进入…" isGood />;
    case 'cancelled':
      return (
        <Message title="已取消登录" text={refusal}>
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
        <Message title="二维码加载失败" text="请检查网络后重试">
          <Refresh onClick={onRestart}>重试</Refresh>
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
