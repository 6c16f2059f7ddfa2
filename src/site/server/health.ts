import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { CHANNELS } from '../../payment/ports.ts';
import { CHANNEL_NAME } from '../../payment/rules.ts';
import { StoreAway } from '../../platform/files/file-store.ts';
import { hasPresentSchema } from '../../platform/db/migrate.ts';

/** The database has this number of steps to answer. */
const DATABASE_STEPS = 5;
const DATABASE_STEP_MS = 100;
const MIN_FREE_BYTES = 256 * 1024 * 1024;
/** From 300 s on neither we nor the payment providers believe the other. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;

export type Health = {
  /** True while the process finishes its last requests. */
  isDraining: boolean;
  /** Returns the reasons why this node cannot serve; [] when it is ready. */
  problems(): Promise<string[]>;
  /** Returns what the operator should look at soon, although this node serves. */
  warnings(): string[];
};

export function createHealth(ctx: Ctx): Health {
  const health: Health = {
    isDraining: false,
    async problems() {
      const found = await Promise.all([findDatabaseProblem(ctx), findStorageProblem(ctx)]);
      return [...(health.isDraining ? ['shutting down'] : []), ...found.filter((problem) => problem !== null)];
    },
    warnings: () => CHANNELS.flatMap((channel) => clockWarning(channel, ctx.gateways[channel]) ?? []),
  };
  return health;
}

async function findDatabaseProblem({ db }: Ctx): Promise<string | null> {
  const isPresent = await Promise.race([hasPresentSchema(db).catch(() => null), databaseDeadline()]);
  if (isPresent === null) return 'the database does not answer';
  return isPresent ? null : 'the database has an older schema than this release: start the site again';
}

/**
 * Resolves half a second later. In steps: a time in which this process was busy itself, as when it loads a dictionary, counts as one step, and an answer that came
 * meanwhile is read before the next.
 */
async function databaseDeadline(): Promise<null> {
  for (let step = 0; step < DATABASE_STEPS; step++) await sleep(DATABASE_STEP_MS, null, { ref: false });
  return null;
}

async function findStorageProblem({ config: { dataDir }, files }: Ctx): Promise<string | null> {
  try {
    await files.check();
    const folder = join(dataDir, 'files');
    await access(folder, constants.R_OK | constants.W_OK);
    // Two disks where that of the files is mounted.
    const disks = await Promise.all([dataDir, folder].map((path) => statfs(path)));
    const isNearlyFull = disks.some(({ bavail, bsize }) => bavail * bsize < MIN_FREE_BYTES);
    return isNearlyFull ? 'the disk of the data folder is nearly full' : null;
  } catch (error) {
    if (error instanceof StoreAway) return 'the folder of the stored files is empty or not there';
    return 'the folder of the stored files cannot be read and written';
  }
}

function clockWarning(channel: (typeof CHANNELS)[number], gateway: Ctx['gateways']['wechat']): string | null {
  const ahead = gateway?.clockAheadSeconds() ?? 0;
  if (Math.abs(ahead) <= MAX_CLOCK_DIFFERENCE_SECONDS) return null;
  const where = ahead > 0 ? 'behind' : 'ahead of';
  return `the clock of this machine is ${Math.abs(ahead)} s ${where} that of ${CHANNEL_NAME[channel]}`;
}

/**
 * Serves /livez (the event loop runs) and /readyz (this node can serve; 503 with the reasons otherwise, and warnings that do not
 * change the status).
 */
export async function serveHealth(health: Health, path: string): Promise<Response> {
  const isReadiness = path === '/readyz';
  const problems = isReadiness ? await health.problems() : [];
  return Response.json(
    {
      status: problems.length === 0 ? 'ok' : 'unavailable',
      problems,
      ...(isReadiness && { warnings: health.warnings() }),
    },
    {
      status: problems.length === 0 ? 200 : 503,
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    },
  );
}
