import { statfs } from 'node:fs/promises';
import type { Ctx } from '../../context.ts';
import { isAnswering } from '../../platform/db/client.ts';

const DATABASE_DEADLINE_MS = 500;
const MIN_FREE_BYTES = 256 * 1024 * 1024;

export type Health = {
  /** True while the process finishes its last requests. */
  isDraining: boolean;
  /** Returns the reasons why this node cannot serve; [] when it is ready. */
  problems(): Promise<string[]>;
};

export function createHealth(ctx: Ctx): Health {
  const health: Health = {
    isDraining: false,
    async problems() {
      const isUp = await isAnswering(ctx.db, DATABASE_DEADLINE_MS);
      const disk = await statfs(ctx.config.dataDir).catch(() => null);
      const isFull = disk !== null && disk.bavail * disk.bsize < MIN_FREE_BYTES;
      return [
        ...(health.isDraining ? ['shutting down'] : []),
        ...(isUp ? [] : ['the database does not answer']),
        ...(isFull ? ['the disk of the data folder is nearly full'] : []),
      ];
    },
  };
  return health;
}

/** Serves /livez (the event loop runs) and /readyz (this node can serve; 503 with the reasons otherwise). */
export async function serveHealth(health: Health, path: string): Promise<Response> {
  const problems = path === '/livez' ? [] : await health.problems();
  return Response.json(
    { status: problems.length === 0 ? 'ok' : 'unavailable', problems },
    {
      status: problems.length === 0 ? 200 : 503,
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    },
  );
}
