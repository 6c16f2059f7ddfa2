import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweepWorkFolders, WORK_FOLDER } from './work-folders.ts';

it('removes what a killed process left that had the process id of this one, as in a container, and nothing of this process', async () => {
  const left = join(tmpdir(), `${WORK_FOLDER}${process.pid}-left`);
  const own = join(tmpdir(), `${WORK_FOLDER}${process.pid}-own`);
  for (const folder of [left, own]) mkdirSync(folder);
  utimesSync(left, new Date(0), new Date(0));
  await sweepWorkFolders();
  expect([left, own].map((folder) => existsSync(folder))).toEqual([false, true]);
  rmSync(own, { recursive: true });
});
