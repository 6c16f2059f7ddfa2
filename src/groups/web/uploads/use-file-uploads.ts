import { useCallback, useEffect, useRef, useState } from 'react';
import type { DetailedError, Upload } from 'tus-js-client';
import { call } from '../../../accounts/web/call.ts';
import { isSessionOver, readCredential, tellSessionOver } from '../../../accounts/web/credentials.ts';
import { CODE } from '../../../protocol/codes.ts';
import { doc2png } from '../../../reading/contract.ts';
import { addGroupFile } from '../../contract.ts';
import type { UploadQuota } from '../../contract-uploads.ts';
import { UPLOAD_PATH, uploadLimits } from '../../rules-uploads.ts';
import { isHeldUp, nextToSend, type LocalUpload } from './upload-queue.ts';

/** The types that a file may have by its name; the server decides by the content. */
export const ACCEPTED_NAMES = ['.ppt', '.pptx', '.pdf'];

/** A part fits into the minute that a request may take, on a line of 600 kbit/s and more. */
const PART_BYTES = 4 * 1024 * 1024;
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000];
/**
 * A check may find the site busy, or this member's checks of the minute used up: how often it is asked for, and how long to wait in between;
 * together longer than that minute.
 */
const CHECK_TRIES = 10;
const CHECK_WAIT_MS = 8_000;
/** How often the list of the server is read while files wait for its converter. */
const LIST_WAIT_MS = 5_000;

const STOPPED = '已停止';
const BROKEN_OFF = '网络中断，重新选择同一文件即可继续上传';

/** Returns why a file is not even sent; "" when it may be. */
function refusalOf({ name, size }: File): string {
  if (!ACCEPTED_NAMES.some((ending) => name.toLowerCase().endsWith(ending))) return '请上传 PPT、PPTX 或 PDF 文件';
  if (size === 0) return '文件是空的，请重新上传';
  if (size > uploadLimits.fileBytes) return '文件超过 200 MB，请压缩后上传';
  return '';
}

/**
 * Sends files to a group by the tus protocol, some at once while the others wait; each can be paused. An upload that was interrupted, also
 * by a closed tab or by leaving the page, goes on where it stopped when the same file is chosen again. The quota says how many files
 * of this member the server still converts; each list brings a new one. `onChanged` is called when the list of the server changes.
 */
export function useFileUploads(gid: number, quota: UploadQuota, onChanged: () => Promise<void> | void) {
  const [locals, setLocals] = useState<LocalUpload[]>([]);
  /** The files whose turn has come; null until tus-js-client is loaded. */
  const begun = useRef(new Map<number, Upload | null>());
  const paused = useRef(new Set<number>());
  /** The files whose earlier upload is to be checked before anything is sent; true while the check runs. */
  const rechecks = useRef(new Map<number, boolean>());
  /** The files that the next list of the server counts. */
  const shelved = useRef(new Set<number>());
  const nextId = useRef(1);

  const change = useCallback(
    (id: number, part: Partial<LocalUpload>) =>
      setLocals((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each))),
    [],
  );
  const drop = useCallback((id: number) => {
    begun.current.delete(id);
    setLocals((all) => all.filter((each) => each.id !== id));
  }, []);

  /** Ends what this tab does for a file: `failure` is "" when it stands on the shelf, where the server goes on alone. */
  async function end(id: number, upload: Upload, failure: string): Promise<void> {
    if (failure !== '') {
      change(id, { phase: 'failed', message: failure });
      // The server has removed a file that it refused: the quota is larger again.
      return onChanged();
    }
    await forget(upload);
    shelved.current.add(id);
    await onChanged();
  }

  async function finish(id: number, upload: Upload): Promise<void> {
    change(id, { phase: 'checking' });
    const { isShelved, message } = await checkAndShelve(gid, keyOf(upload.url));
    await end(id, upload, isShelved ? '' : message);
  }

  function fail(id: number, message: string): void {
    begun.current.delete(id);
    change(id, { phase: 'failed', message });
  }

  async function send({ id, file }: LocalUpload): Promise<void> {
    begun.current.set(id, null);
    change(id, { phase: 'sending' });
    // Loaded with the first file.
    const tus = await import('tus-js-client');
    const upload = new tus.Upload(file, {
      endpoint: UPLOAD_PATH,
      metadata: { filename: file.name },
      chunkSize: PART_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      onBeforeRequest: (request) => request.setHeader('token', readCredential('token')),
      onUploadUrlAvailable: () => {
        // Without an endpoint tus-js-client reports an upload that the server no longer takes, instead of beginning a new one: another tab may have finished it.
        upload.options.endpoint = null;
        change(id, { key: keyOf(upload.url) });
      },
      onProgress: (sent) => change(id, { sent }),
      onError: (error) => (isGone(error) ? void recheck(id, upload, messageOf(error)) : fail(id, messageOf(error))),
      onSuccess: () => void finish(id, upload),
    });
    const [earlier] = await upload.findPreviousUploads();
    // Cancelled meanwhile, or the page was left.
    if (!begun.current.has(id)) return;
    begun.current.set(id, upload);
    if (earlier) {
      upload.resumeFromPreviousUpload(earlier);
      return recheck(id, upload);
    }
    if (isWanted(id)) upload.start();
  }

  const isWanted = (id: number) => begun.current.has(id) && !paused.current.has(id);

  /**
   * Has an earlier upload checked: all its bytes may have arrived, and only the check or the place on the shelf be missing. The upload starts
   * again from its first byte only when the server does not know it. `refusal`: the reason for which the server refused more bytes of a file that
   * this tab was sending. Such a file fails with that reason, unless another tab has finished it; it may also have been withdrawn there.
   */
  async function recheck(id: number, upload: Upload, refusal = ''): Promise<void> {
    if (rechecks.current.get(id)) return;
    rechecks.current.set(id, true);
    const { isShelved, isUnknown, message } = await checkAndShelve(gid, keyOf(upload.url), () => isWanted(id));
    rechecks.current.set(id, false);
    if (isShelved) return end(id, upload, '');
    // A paused file is checked again when it goes on.
    if (!isWanted(id)) return;
    rechecks.current.delete(id);
    if (refusal !== '') return fail(id, isUnknown ? refusal : message);
    upload.options.endpoint = isUnknown ? UPLOAD_PATH : null;
    upload.start();
  }

  const next = nextToSend(locals, quota.converting);
  useEffect(() => {
    if (!next || begun.current.has(next.id)) return;
    send(next).catch(() => fail(next.id, BROKEN_OFF));
  });

  useEffect(() => {
    // Not before: the next file would begin though the server still counts this one.
    for (const id of shelved.current) drop(id);
    shelved.current.clear();
  }, [quota, drop]);

  const isWaitingForServer = isHeldUp(locals);
  useEffect(() => {
    if (!isWaitingForServer) return;
    const timer = setInterval(() => void onChanged(), LIST_WAIT_MS);
    return () => clearInterval(timer);
  }, [isWaitingForServer, onChanged]);

  useEffect(() => {
    const uploads = begun.current;
    return () => {
      for (const upload of uploads.values()) void upload?.abort();
      uploads.clear();
    };
  }, []);

  return {
    locals,
    add(files: Iterable<File>) {
      for (const file of files) {
        const message = refusalOf(file);
        const phase = message === '' ? 'waiting' : 'failed';
        const local = { id: nextId.current++, file, sent: 0, phase, message, key: '' } as const;
        setLocals((all) => [local, ...all]);
      }
    },
    async pause(id: number) {
      paused.current.add(id);
      change(id, { phase: 'paused' });
      await begun.current.get(id)?.abort();
    },
    resume(id: number) {
      paused.current.delete(id);
      change(id, { phase: 'sending' });
      const upload = begun.current.get(id);
      if (upload && rechecks.current.has(id)) void recheck(id, upload);
      else upload?.start();
    },
    /** Gives an upload up, with what the server has received of it. */
    async cancel(id: number) {
      const upload = begun.current.get(id);
      drop(id);
      // The server removes it after a day, should this not arrive.
      await upload?.abort(true).catch(() => {});
      await onChanged();
    },
    dismiss: drop,
  };
}

const keyOf = (url: string | null) => url?.split('/').at(-1) ?? '';

/** Removes what the browser keeps of a file to go on with it. */
async function forget(upload: Upload): Promise<void> {
  const { defaultOptions } = await import('tus-js-client');
  for (const { urlStorageKey } of await upload.findPreviousUploads())
    await defaultOptions.urlStorage.removeUpload(urlStorageKey);
}

/** `isUnknown`: the server has no upload of this key. `message`: why the file is not on the shelf. */
type Shelving = { isShelved: boolean; isUnknown: boolean; message: string };

const notShelved = (message: string, code?: number): Shelving => ({
  isShelved: false,
  isUnknown: code === CODE.notFound,
  message,
});

/** Has a received file checked and put on the shelf, as long as `isWanted` says before each call that the member wants it. */
const checkAndShelve = (gid: number, key: string, isWanted = () => true): Promise<Shelving> =>
  askToShelve(gid, key, isWanted).catch(() => notShelved('网络异常，请重新选择同一文件继续'));

async function askToShelve(gid: number, key: string, isWanted: () => boolean): Promise<Shelving> {
  for (let attempt = 1; ; attempt++) {
    if (!isWanted()) return notShelved(STOPPED);
    const checked = await call(doc2png, { oss_name: key });
    const isBusy = checked.code === CODE.unavailable || checked.code === CODE.tooFrequent;
    if (checked.code === CODE.ok) break;
    if (!isBusy || attempt >= CHECK_TRIES) return notShelved(checked.message, checked.code);
    await new Promise((resolve) => setTimeout(resolve, CHECK_WAIT_MS));
  }
  if (!isWanted()) return notShelved(STOPPED);
  const added = await call(addGroupFile, { gid, oss_name: key });
  return { ...notShelved(added.message, added.code), isShelved: added.code === CODE.ok };
}

/** Whether the server answered that there is no upload to send bytes to: it has all of them, or none. */
const isGone = (error: Error | DetailedError): boolean =>
  'originalResponse' in error && [404, 410].includes(error.originalResponse?.getStatus() ?? 0);

/** The words of the server, which answers with its envelope, or of a broken connection. */
function messageOf(error: Error | DetailedError): string {
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined;
  const { code, message } = parse(body ?? '');
  if (isSessionOver(code)) tellSessionOver();
  return message || BROKEN_OFF;
}

function parse(text: string): { code: number; message: string } {
  try {
    const { code, message } = JSON.parse(text);
    return { code: Number(code), message: String(message) };
  } catch {
    return { code: CODE.ok, message: '' };
  }
}
