import { useCallback, useRef, useState } from 'react';
import type { DetailedError, Upload } from 'tus-js-client';
import { call } from '../../../accounts/web/call.ts';
import { isSessionOver, readCredential, tellSessionOver } from '../../../accounts/web/credentials.ts';
import { CODE } from '../../../protocol/codes.ts';
import { doc2png } from '../../../reading/contract.ts';
import { addGroupFile } from '../../contract.ts';
import { UPLOAD_PATH, uploadLimits } from '../../rules-uploads.ts';

/** What happens to a file in this tab. Once it stands on the shelf, the list of the server shows it. */
export type UploadPhase = 'sending' | 'paused' | 'checking' | 'failed';

export type LocalUpload = {
  id: number;
  name: string;
  bytes: number;
  sent: number;
  phase: UploadPhase;
  /** Why it failed, in words for the member. */
  message: string;
  /** The key of the upload; "" until the server has given it one. */
  key: string;
};

/** The types that a file may have by its name; the server decides by the content. */
export const ACCEPTED_NAMES = ['.ppt', '.pptx', '.pdf'];

/** A part fits into the minute that a request may take, on a line of 600 kbit/s and more. */
const PART_BYTES = 4 * 1024 * 1024;
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000];
/** A check may find the site busy: how often it is asked for, and how long to wait in between. */
const CHECK_TRIES = 5;
const CHECK_WAIT_MS = 4_000;

/** Returns why a file is not even sent; "" when it may be. */
function refusalOf({ name, size }: File): string {
  if (!ACCEPTED_NAMES.some((ending) => name.toLowerCase().endsWith(ending))) return '请上传 PPT、PPTX 或 PDF 文件';
  if (size === 0) return '文件是空的，请重新上传';
  if (size > uploadLimits.fileBytes) return '文件超过 200 MB，请压缩后上传';
  return '';
}

/**
 * Sends files to a group by the tus protocol, several at once, each of which can be paused. An upload that was interrupted, also by a
 * closed tab, goes on where it stopped when the same file is chosen again. `onChanged` is called when the list of the server changes.
 */
export function useFileUploads(gid: number, onChanged: () => Promise<void> | void) {
  const [locals, setLocals] = useState<LocalUpload[]>([]);
  const sending = useRef(new Map<number, Upload>());
  const nextId = useRef(1);

  const change = useCallback(
    (id: number, part: Partial<LocalUpload>) =>
      setLocals((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each))),
    [],
  );
  const drop = useCallback((id: number) => {
    sending.current.delete(id);
    setLocals((all) => all.filter((each) => each.id !== id));
  }, []);

  /** Has a received file checked and put on the shelf; the server goes on alone from there. */
  async function finish(id: number, key: string): Promise<void> {
    sending.current.delete(id);
    change(id, { phase: 'checking' });
    const failure = await checkAndShelve(gid, key).catch(() => '网络异常，请重新选择文件继续');
    if (failure !== '') return change(id, { phase: 'failed', message: failure });
    await onChanged();
    drop(id);
  }

  async function begin(file: File): Promise<void> {
    const id = nextId.current++;
    const message = refusalOf(file);
    const phase = message === '' ? 'sending' : 'failed';
    setLocals((all) => [{ id, name: file.name, bytes: file.size, sent: 0, phase, message, key: '' }, ...all]);
    if (message !== '') return;
    // Loaded with the first file.
    const tus = await import('tus-js-client');
    const upload = new tus.Upload(file, {
      endpoint: UPLOAD_PATH,
      metadata: { filename: file.name },
      chunkSize: PART_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      removeFingerprintOnSuccess: true,
      onBeforeRequest: (request) => request.setHeader('token', readCredential('token')),
      onUploadUrlAvailable: () => change(id, { key: keyOf(upload) }),
      onProgress: (sent) => change(id, { sent }),
      onError: (error) => {
        sending.current.delete(id);
        change(id, { phase: 'failed', message: messageOf(error) });
      },
      onSuccess: () => void finish(id, keyOf(upload)),
    });
    sending.current.set(id, upload);
    const [earlier] = await upload.findPreviousUploads();
    if (earlier) upload.resumeFromPreviousUpload(earlier);
    upload.start();
  }

  return {
    locals,
    add: (files: Iterable<File>) => {
      for (const file of files) void begin(file);
    },
    async pause(id: number) {
      change(id, { phase: 'paused' });
      await sending.current.get(id)?.abort();
    },
    resume(id: number) {
      change(id, { phase: 'sending' });
      sending.current.get(id)?.start();
    },
    /** Gives an upload up, with what the server has received of it. */
    async cancel(id: number) {
      const upload = sending.current.get(id);
      drop(id);
      // The server removes it after a day, should this not arrive.
      await upload?.abort(true).catch(() => {});
      await onChanged();
    },
    dismiss: drop,
  };
}

const keyOf = ({ url }: Upload) => url?.split('/').at(-1) ?? '';

/** Returns why a file was not taken; "" when it stands on the shelf. */
async function checkAndShelve(gid: number, key: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const checked = await call(doc2png, { oss_name: key });
    const isBusy = checked.code === CODE.unavailable || checked.code === CODE.tooFrequent;
    if (checked.code === CODE.ok) break;
    if (!isBusy || attempt >= CHECK_TRIES) return checked.message;
    await new Promise((resolve) => setTimeout(resolve, CHECK_WAIT_MS));
  }
  const added = await call(addGroupFile, { gid, oss_name: key });
  return added.code === CODE.ok ? '' : added.message;
}

/** The words of the server, which answers with its envelope, or of a broken connection. */
function messageOf(error: Error | DetailedError): string {
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined;
  const { code, message } = parse(body ?? '');
  if (isSessionOver(code)) tellSessionOver();
  return message || '网络中断，重新选择同一文件即可继续上传';
}

function parse(text: string): { code: number; message: string } {
  try {
    const { code, message } = JSON.parse(text);
    return { code: Number(code), message: String(message) };
  } catch {
    return { code: CODE.ok, message: '' };
  }
}
