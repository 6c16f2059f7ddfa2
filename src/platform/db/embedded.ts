import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedUrl } from './embedded-cluster.ts';
import { FolderInUseError } from './embedded-errors.ts';
import { connectAndLock, isConnectionLost, leave } from './embedded-locks.ts';
import type { Held, Role } from './embedded-locks.ts';
import { ensureRunning, prepareCluster, stopServer } from './embedded-server.ts';
import type { Cluster, Log, RunningServer } from './embedded-server.ts';

export type EmbeddedPostgres = {
  /** The address of the database with its password; the port stays the same while the database is open. */
  url: string;
  /**
   * True when the server was already running: another process of this project uses it, or a killed process left it
   * behind.
   */
  adopted: boolean;
  /** Disconnects; the last process to leave stops the server. Safe to call twice. */
  close(): Promise<void>;
};

/**
 * Opens the database that lives in `<dataDir>/postgres`: creates it the first time, starts its server or joins the
 * one that runs. Several of our processes may share it, but one folder has at most one site.
 * If the server dies while it is open here, it is started again on the same port.
 * @param settings server settings over the usual ones, for tests (`{ fsync: 'off' }`); they count when we start it
 * @throws an EmbeddedPostgresError: FolderInUseError, FolderNotWritableError, CannotRunAsRootError, NoPortError,
 *   DatabaseVersionError, NoBinariesError, ServerFailedError
 */
export async function openEmbeddedPostgres(options: {
  dataDir: string;
  role: Role;
  log: Log;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const { role, log } = options;
  const cluster = await prepareCluster(options.dataDir, options.settings ?? {}, log);
  const first = await join(cluster, role, 0);
  let { server, held } = first;
  let closing: Promise<void> | null = null;
  let restoring: Promise<void> | null = null;

  const restore = async (): Promise<void> => {
    while (!closing) {
      log.warn('The database went away; bringing it back');
      try {
        const joined = await join(cluster, role, first.server.port);
        if (joined.server.port !== first.server.port) await refusePort(cluster, joined, first.server.port);
        ({ server, held } = joined);
        watch();
        log.info('The database is back');
        return;
      } catch (error) {
        log.warn(error instanceof Error ? error.message : String(error));
        if (error instanceof FolderInUseError) return;
        await sleep(1000);
      }
    }
  };
  const watch = (): void => {
    held.client.once('end', () => {
      if (!closing) restoring = restore();
    });
  };
  const close = async (): Promise<void> => {
    await restoring;
    if (await leave(held)) await stopServer(cluster, server);
    await held.client.end().catch(() => undefined);
  };

  watch();
  return {
    url: await embeddedUrl(cluster, server.port),
    adopted: first.adopted,
    close: () => (closing ??= close()),
  };
}

/**
 * Leaves a server that another process has started on another port, and stops it when that process is gone. Throws always: the connection
 * pools of this process know one port.
 */
async function refusePort(cluster: Cluster, { server, held }: Joined, port: number): Promise<never> {
  if (await leave(held)) await stopServer(cluster, server);
  await held.client.end().catch(() => undefined);
  throw new Error(
    `The database runs on port ${server.port}, and this process needs it on port ${port}: waiting until the commands that use it have ended`,
  );
}

type Joined = { server: RunningServer; held: Held; adopted: boolean };

/**
 * Starts or finds the server and takes this process's locks in it; begins again when the server was just being stopped.
 */
async function join(cluster: Cluster, role: Role, preferredPort: number): Promise<Joined> {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    const server = await ensureRunning(cluster, preferredPort);
    try {
      // A site that starts the server itself need not wait for another that has lost it.
      const isFirst = preferredPort > 0 || !server.adopted;
      const held = await connectAndLock(cluster, server.port, role, isFirst);
      return { server, held, adopted: server.adopted };
    } catch (error) {
      if (!isConnectionLost(error) || Date.now() > giveUpAt) throw error;
      await sleep(50);
    }
  }
}
