import { strToU8, zipSync } from 'fflate';
import type { Ctx } from '../../context.ts';
import type { PersonalData } from './personal-data.ts';

const README = [
  '这是您在本站的个人数据副本，每个 JSON 文件对应一类数据，时间为 UTC。',
  '金额单位：喵币为整数；未列出的类别表示没有数据。',
  '',
].join('\n');

/** A ZIP of JSON files: everything the parts keep about a user (C-74). */
export async function packPersonalData(ctx: Ctx, parts: PersonalData[], userId: number): Promise<Uint8Array> {
  const files: Record<string, Uint8Array> = { 'README.txt': strToU8(README) };
  for (const part of parts) {
    for (const [name, value] of Object.entries(await part.collect(ctx, userId))) {
      files[`${name}.json`] = strToU8(`${JSON.stringify(value, null, 2)}\n`);
    }
  }
  return zipSync(files, { level: 6, mtime: new Date(ctx.clock.now()) });
}
