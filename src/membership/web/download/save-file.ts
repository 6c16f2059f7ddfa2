/** Size in bytes above which the script does not load a file: the browser downloads it by itself (C-81). */
const MAX_IN_MEMORY = 80 * 1024 * 1024;
const KEPT_MS = 60_000;

/** Returns whether the browser must follow the link: Safari on iOS and WeChat's browser cannot save a Blob. */
export function needsNavigation(size: number, userAgent: string): boolean {
  return size > MAX_IN_MEMORY || /iPhone|iPad|iPod|MicroMessenger/i.test(userAgent);
}

/** `sha256` of the bytes is their ETag as well. */
type SavedFile = { url: string; name: string; size: number; sha256: string };

/** The part of a file that arrived before its transfer broke off; `saveFile` continues behind it. */
export type Received = { sha256: string; parts: Uint8Array<ArrayBuffer>[]; bytes: number };

export const nothingReceived = (sha256 = ''): Received => ({ sha256, parts: [], bytes: 0 });

/** The transfer failed or ended short of the file: nothing was saved, `received` is what a retry need not load again. */
export class TransferBroken extends Error {
  readonly received: Received;
  constructor(received: Received) {
    super(`the transfer broke off after ${received.bytes} bytes`);
    this.received = received;
  }
}

/**
 * Fetches a file and saves it under `name`. `onProgress` gets 0–1. Begins behind what an earlier transfer received of the
 * same bytes. Throws TransferBroken.
 */
export async function saveFile(
  file: SavedFile,
  onProgress: (share: number) => void,
  before: Received = nothingReceived(),
): Promise<void> {
  let received = nothingReceived(file.sha256);
  if (before.sha256 === file.sha256) received = { ...before, parts: [...before.parts] };
  try {
    const isRest = received.bytes > 0 && received.bytes < file.size;
    // The server sends the whole file when its bytes are others by now.
    const rest = { range: `bytes=${received.bytes}-`, 'if-range': `"${file.sha256}"` };
    const response = await fetch(file.url, isRest ? { headers: rest } : {});
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    if (response.status !== 206) received = nothingReceived(file.sha256);
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      received = { ...received, bytes: received.bytes + read.value.byteLength };
      received.parts.push(read.value);
      onProgress(file.size > 0 ? Math.min(received.bytes / file.size, 1) : 0);
    }
    if (received.bytes !== file.size) throw new Error('incomplete');
    const type = response.headers.get('content-type') ?? 'application/octet-stream';
    hand(new Blob(received.parts, { type }), file.name);
  } catch {
    // More bytes than the file has are no part of it.
    throw new TransferBroken(received.bytes < file.size ? received : nothingReceived());
  }
}

function hand(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the URL a little later than the click.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
