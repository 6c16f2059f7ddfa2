import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AsyncZippable, type AsyncZipOptions, strToU8, zip } from 'fflate';
import type { Ctx } from '../../../context.ts';
import { COPY_FOLDER } from '../../../platform/processes.ts';
import type { PersonalData } from '../personal-data.ts';
import { selectExport, updateExport } from './store-exports.ts';

const LINK_SECONDS = 86_400;

/** Makes a requested copy of a user's data. Safe to repeat; does nothing when the user was erased in the meantime. */
export async function makeExport(ctx: Ctx, parts: PersonalData[], exportId: number): Promise<void> {
  const asked = await selectExport(ctx.db, exportId);
  if (asked?.state !== 'pending') return;
  const zip = await packPersonalData(ctx, parts, asked.userId);
  const fileKey = `exports/${randomBytes(16).toString('hex')}.zip`;
  await store(ctx, fileKey, zip);
  const now = ctx.clock.now();
  const isKept = await updateExport(ctx.db, exportId, {
    state: 'ready',
    fileKey,
    sizeBytes: zip.byteLength,
    readyAt: new Date(now),
    expiresAt: new Date(now + LINK_SECONDS * 1000),
  });
  if (!isKept) await ctx.files.remove(fileKey);
}

async function store(ctx: Ctx, key: string, bytes: Uint8Array): Promise<void> {
  // The process id tells sweepWorkFolders whose folder it is.
  const folder = await mkdtemp(join(tmpdir(), `${COPY_FOLDER}${process.pid}-`));
  try {
    const path = join(folder, 'data.zip');
    await writeFile(path, bytes, { mode: 0o600 });
    await ctx.files.put(key, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const README = [
  '这是您在本站的个人数据副本，每个 JSON 文件对应一类数据，时间为 UTC。',
  '金额单位：喵币为整数；未列出的类别表示没有数据。',
  '',
].join('\n');

/** Compresses large files in threads of their own, to which it hands over their bytes. */
const zipFiles = promisify<AsyncZippable, AsyncZipOptions, Uint8Array>(zip);

/** Returns a ZIP of JSON files with everything that the parts keep about a user (C-74). */
export async function packPersonalData(ctx: Ctx, parts: PersonalData[], userId: number): Promise<Uint8Array> {
  const files: AsyncZippable = { 'README.txt': strToU8(README) };
  for (const part of parts) {
    for (const [name, value] of Object.entries(await part.collect(ctx, userId))) {
      files[`${name}.json`] = strToU8(`${JSON.stringify(value, null, 2)}\n`);
    }
  }
  return zipFiles(files, { level: 6, mtime: new Date(ctx.clock.now()), consume: true });
}
