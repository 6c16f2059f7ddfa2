import type { Ctx } from '../../src/context.ts';
import { openApp } from '../../src/open-app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { SLICES } from '../../src/slices.ts';
import { typeCommand } from '../type-command.ts';
import type { SharedSite } from './shared-site.ts';

/**
 * Runs `ceku …` on the data of a running site, in this process: what a journey needs before it begins takes a tenth of
 * the processor time of `site.ceku`, which starts a process as an operator does.
 */
export async function typeAtSite(
  site: SharedSite,
  ...words: string[]
): Promise<{ code: number; out: string; err: string }> {
  const adders = await Promise.all(SLICES.map(async ({ loadCommands }) => (await loadCommands?.()) ?? []));
  return typeCommand((program) => {
    for (const add of adders.flat()) add(program, (work) => workAtSite(site, work));
  }, words);
}

/** Runs `work` on the data of a running site, in this process: what no command does, such as a membership of last year. */
export async function workAtSite<T>(site: SharedSite, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const config = readConfig({ DATA_DIR: site.dataDir, LOG_LEVEL: 'error', NODE_ENV: 'test' });
  const app = await openApp(config, createLog(config.logLevel), 'tool');
  try {
    return await work(app.ctx);
  } finally {
    await app.close();
  }
}
