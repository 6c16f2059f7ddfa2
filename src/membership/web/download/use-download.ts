import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useResume, useSession } from '../../../accounts/web/session.tsx';
import { isSessionOver } from '../../../accounts/web/credentials.ts';
import { CODE } from '../../../protocol/codes.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { Quote } from './quote-text.ts';
import type { WaysOut } from '../../contract-ways-out.ts';
import { usePurchase, type PurchaseWanted } from '../prices/purchase.tsx';
import { needsNavigation, nothingReceived, saveFile, TransferBroken } from './save-file.ts';

type DownloadPhase =
  | { name: 'idle' }
  | { name: 'asking' }
  /** 0–1 */
  | { name: 'transferring'; share: number }
  | { name: 'failed' };

/** The content of the download dialog: a question about coins, or the server's refusal with its message (codes 31 and 33). */
type DownloadDialog = { kind: 'coin'; quote: Quote } | { kind: 'refused'; message: string; ways: WaysOut | null };

export type Download = {
  phase: DownloadPhase;
  dialog: DownloadDialog | null;
  /** Starts the download. Visitors log in first and continue afterwards. A second call while busy does nothing. */
  start(): void;
  /** Agrees to the question about coins. */
  confirm(): void;
  dismiss(): void;
  /** Opens the pay dialog in place of this one; the download continues after the payment. */
  buy(wanted: PurchaseWanted): void;
};

const FAILED = '下载失败，请重试（不会重复扣费）';

/**
 * Runs the download of one document (§4, C-36, C-81): quote → question if it costs coins → pay → transfer → save. A component that
 * may show another document has its id as key: a question that was asked about one must not buy the other.
 */
export function useDownload(fid: number): Download {
  const { member, openLogin } = useSession();
  const { revalidate } = useRevalidator();
  const purchase = usePurchase();
  const [phase, setPhase] = useState<DownloadPhase>({ name: 'idle' });
  const [dialog, setDialog] = useState<DownloadDialog | null>(null);
  const isBusy = useRef(false);
  const received = useRef(nothingReceived());
  const resumeKey = `download:${fid}`;
  const toastId = resumeKey;

  const guarded = async (work: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setPhase({ name: 'asking' });
    try {
      await work();
    } catch (error) {
      if (error instanceof TransferBroken) received.current = error.received;
      setPhase({ name: 'failed' });
      toast.error(FAILED, toastId);
    } finally {
      isBusy.current = false;
      setPhase((now) => (now.name === 'failed' ? now : { name: 'idle' }));
    }
  };

  const logInFirst = () => openLogin('登录后继续下载', resumeKey);

  /** Shows a refusal. Refusals are never thrown: an exception means that the server could not be asked. */
  const refuse = async (code: number, message: string, data: object | null) => {
    if (code === CODE.insufficient || code === CODE.downloadLimit) {
      const { readWaysOut } = await import('./ask-download.ts');
      setDialog({ kind: 'refused', message, ways: readWaysOut(data) });
    } else if (isSessionOver(code)) logInFirst();
    else toast.warning(message);
    if (code === CODE.conflict) await revalidate();
  };

  const fetchPaid = async (quote: Pick<Quote, 'method' | 'cost'>) => {
    const { askDownload } = await import('./ask-download.ts');
    const reply = await askDownload(fid, { method: quote.method, cost: quote.cost });
    if (reply.code !== CODE.ok || !reply.data) return refuse(reply.code, reply.message, reply.data);
    const { url, file_name: name, size, sha256 } = reply.data;
    toast.info('开始下载，请稍候...', toastId);
    // Show the new balance at once, while the file is transferred.
    void revalidate();
    if (needsNavigation(size, navigator.userAgent)) {
      window.location.assign(url);
      return;
    }
    setPhase({ name: 'transferring', share: 0 });
    const file = { url, name, size, sha256 };
    await saveFile(file, (share) => setPhase({ name: 'transferring', share }), received.current);
    received.current = nothingReceived();
    toast.success('下载完成', toastId);
  };

  const begin = () =>
    guarded(async () => {
      const { askQuote } = await import('./ask-download.ts');
      const reply = await askQuote(fid);
      if (reply.code !== CODE.ok || !reply.data) return refuse(reply.code, reply.message, reply.data);
      if (reply.data.method === 'coin') setDialog({ kind: 'coin', quote: reply.data });
      else await fetchPaid(reply.data);
    });

  const start = () => {
    if (member) void begin();
    else logInFirst();
  };

  useResume(resumeKey, () => void begin());

  return {
    phase,
    dialog,
    start,
    confirm() {
      if (dialog?.kind !== 'coin') return;
      setDialog(null);
      const { quote } = dialog;
      void guarded(() => fetchPaid(quote));
    },
    dismiss: () => setDialog(null),
    buy(wanted) {
      setDialog(null);
      purchase.open({ ...wanted, fid }, { key: resumeKey });
    },
  };
}
