/** Larger files are not loaded by a script: the browser downloads them itself (C-81). Bytes. */
const MAX_IN_MEMORY = 80 * 1024 * 1024;
const KEPT_MS = 60_000;

/** Returns whether the browser must follow the link: Safari on iOS and WeChat's browser cannot save a Blob. */
export function needsNavigation(size: number, userAgent: string): boolean {
  return size > MAX_IN_MEMORY || /iPhone|iPad|iPod|MicroMessenger/i.test(userAgent);
}

/**
 * Fetches a file and saves it under `name`. `onProgress` gets 0–1. Throws when the transfer fails or ends short of
 * `size` bytes: nothing is saved then.
 */
export async function saveFile(
  file: { url: string; name: string; size: number },
  onProgress: (share: number) => void,
): Promise<void> {
  const response = await fetch(file.url);
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    received += read.value.byteLength;
    onProgress(file.size > 0 ? Math.min(received / file.size, 1) : 0);
  }
  if (received !== file.size) throw new Error('incomplete');
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  hand(new Blob(parts, { type }), file.name);
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
