import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outsideProviders } from './accounts/server/adapters/outside-process.ts';
import type { Config } from './config.ts';
import type { OutsideAccounts } from './open-app.ts';
import { gatewaysOfOutside } from './payment/server/adapters/gateways.ts';
import { makeFolder } from './platform/files/folders.ts';

/** The accounts with the pretend outside world, which are new at each start of the site: a file by which commands beside the site have them. */
const pathOf = (dataDir: string) => join(dataDir, 'keys', 'outside.json');

/** Writes the accounts that the pretend outside world opened, readable for this user alone. Returns what removes them. */
export async function keepOutsideAccounts(dataDir: string, accounts: object): Promise<() => Promise<void>> {
  const path = pathOf(dataDir);
  await makeFolder(join(dataDir, 'keys'), 0o700);
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(accounts), { mode: 0o600 });
  await rename(draft, path);
  return () => rm(path, { force: true });
}

/** Returns the accounts as the adapters take them. Throws for what the pretend outside world of this release does not send. */
export const accountsOfOutside = (accounts: object): OutsideAccounts => ({
  providers: outsideProviders.parse(accounts),
  gateways: gatewaysOfOutside(accounts),
});

/**
 * Returns the accounts that a command uses: the operator's own, or those of the site that runs beside the command with the pretend outside
 * world. Without such a site no provider is configured. After a site that was killed nobody answers at their address.
 */
export async function accountsBeside(config: Config): Promise<OutsideAccounts> {
  if (!config.outside) return config;
  const text = await readFile(pathOf(config.dataDir), 'utf8').catch(() => null);
  try {
    const accounts: unknown = JSON.parse(text ?? 'null');
    return typeof accounts === 'object' && accounts ? accountsOfOutside(accounts) : config;
  } catch {
    // Written by another release.
    return config;
  }
}
