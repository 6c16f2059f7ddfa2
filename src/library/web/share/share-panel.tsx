import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../../accounts/web/session.tsx';
import { useRootData } from '../../../root-data.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { copyText } from '../../../ui/feedback/copy-button.tsx';
import { CheckIcon } from '../../../ui/pictures/icons.tsx';
import { CopyIcon, DownloadIcon, ShareIcon } from '../../../ui/pictures/tool-icons.tsx';
import { QrFigure } from '../../../ui/pictures/qr-figure.tsx';
import { POSTER_PATH, detailPath, titleWithLink } from '../../addresses.ts';
import styles from './share-panel.module.css';

const SAID_MS = 2500;

/** Facts of the document that is shared. */
export type Shared = { id: number; name: string };

/**
 * The ways to share a document. Links of members carry the member (C-28). `page` is the page being read; the plain link
 * opens the first page anyway.
 */
export function SharePanel({ document, page: shown }: { document: Shared; page: number }) {
  const page = shown > 1 ? shown : 0;
  const { member } = useSession();
  const root = useRootData();
  const [hasPoster, setHasPoster] = useState(false);
  const origin = root?.origin ?? window.location.origin;
  const inviter = member?.user_id;
  const link = origin + detailPath(document.id, { inviter });
  const pageLink = origin + detailPath(document.id, { inviter, page });
  const line = titleWithLink(document.name, link);
  if (hasPoster) return <Poster document={document} page={page} inviter={inviter} onBack={() => setHasPoster(false)} />;
  return (
    <div className={styles['panel']}>
      <p className={styles['line']}>
        <span className={styles['title']}>{line.slice(0, -link.length)}</span>
        {link}
      </p>
      <CopyRow label="复制标题和链接" text={line} isPrimary />
      {page > 0 && <CopyRow label={`复制第 ${page} 页的链接`} text={titleWithLink(document.name, pageLink)} />}
      <Button className={styles['row']} onClick={() => setHasPoster(true)}>
        <DownloadIcon size={18} />
        生成海报
      </Button>
      <SystemShare title={document.name} url={page > 0 ? pageLink : link} />
      <div className={styles['scan']}>
        <QrFigure label="方案页面的二维码" text={page > 0 ? pageLink : link}>
          <span className={styles['desktop']}>扫码在手机上打开</span>
          <span className={styles['phone']}>给对方扫一扫{page > 0 && '，打开'}</span>
          {page > 0 && `第 ${page} 页`}
        </QrFigure>
      </div>
    </div>
  );
}

function CopyRow(props: { label: string; text: string; isPrimary?: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const isCopied = await copyText(props.text, row.current ?? undefined);
    setSaid(isCopied ? '已复制，去粘贴吧' : '复制失败，请手动选择上面的文字');
  };
  return (
    <div ref={row}>
      <Button look={props.isPrimary ? 'primary' : 'quiet'} className={styles['row']} onClick={() => void copy()}>
        {said.startsWith('已') ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
        {said || props.label}
      </Button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  );
}

/** The phone's own share sheet; nothing where the browser has none. */
function SystemShare(props: { title: string; url: string }) {
  if (!('share' in navigator)) return null;
  return (
    <Button
      className={styles['row']}
      onClick={() => {
        // Closing the share sheet without a choice rejects; that is not a failure.
        navigator.share({ title: props.title, text: `《${props.title}》`, url: props.url }).catch(() => undefined);
      }}
    >
      <ShareIcon size={18} />
      更多方式
    </Button>
  );
}

/** The poster that the server draws, to be saved or long-pressed. */
function Poster(props: { document: Shared; page: number; inviter: number | undefined; onBack: () => void }) {
  const [state, setState] = useState<'drawing' | 'done' | 'failed'>('drawing');
  const [attempt, setAttempt] = useState(0);
  const query = new URLSearchParams({ fid: String(props.document.id) });
  if (props.page > 0) query.set('p', String(props.page));
  if (props.inviter) query.set('invite', String(props.inviter));
  const src = `${POSTER_PATH}?${query}`;
  return (
    <div className={styles['panel']}>
      <div className={styles['poster']} data-state={state}>
        {state === 'failed' ? (
          <p>海报没有画出来，请稍后再试</p>
        ) : (
          <img
            key={attempt}
            src={src}
            alt={`《${props.document.name}》的海报`}
            onLoad={() => setState('done')}
            onError={() => setState('failed')}
          />
        )}
        {state === 'drawing' && <p role="status">正在画海报…</p>}
      </div>
      {state !== 'failed' && (
        <>
          <a className={styles['save']} href={src} download={`${props.document.name}-海报.jpg`}>
            <DownloadIcon size={18} />
            保存海报
          </a>
          <p className={styles['hint']}>也可以长按图片保存或发送</p>
        </>
      )}
      {state === 'failed' && (
        <Button
          className={styles['row']}
          onClick={() => {
            setAttempt((now) => now + 1);
            setState('drawing');
          }}
        >
          重试
        </Button>
      )}
      <Button look="plain" className={styles['row']} onClick={props.onBack}>
        返回
      </Button>
    </div>
  );
}
