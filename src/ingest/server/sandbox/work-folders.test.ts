import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COPY_FOLDER } from '../../../platform/processes.ts';
import { sweepWorkFolders, WORK_FOLDER } from './work-folders.ts';

it('removes what a killed process left that had the process id of this one, as in a container, and nothing of this process', async () => {
  const left = join(tmpdir(), `${WORK_FOLDER}${process.pid}-left`);
  const own = join(tmpdir(), `${WORK_FOLDER}${process.pid}-own`);
  const copy = join(tmpdir(), `${COPY_FOLDER}${process.pid}-left`);
  for (const folder of [left, copy, own]) mkdirSync(folder);
  for (const folder of [left, copy]) utimesSync(folder, new Date(0), new Date(0));
  await sweepWorkFolders();
  expect([left, copy, own].map((folder) => existsSync(folder))).toEqual([false, false, true]);
  rmSync(own, { recursive: true });
});
