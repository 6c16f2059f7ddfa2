import { findProgram, runChild } from './run-child.ts';

/** A process namespace as well: whatever the child starts, and however it hides, ends with it. */
const ALL_OF_IT = ['--pid', '--fork', '--kill-child'] as const;

/** Ways to take the network from a child: plainly as root, else by a user namespace where the kernel lets us. */
const WAYS = [['-n', ...ALL_OF_IT], ['-rn', ...ALL_OF_IT], ['-n'], ['-rn']] as const;

/**
 * Threads and processes LibreOffice may have. The kernel counts them by user, so that a bound would be shared with everything else
 * this user runs; in a user namespace it counts those of the namespace alone. Root is not bound: there the group is counted.
 */
const MOST_TASKS = 512;

/** Also after a moment of trouble (no memory, no process left) the next try may succeed: only success is kept. */
let found: readonly string[] | null = null;
let trying: Promise<readonly string[] | null> | null = null;
let isWarned = false;

/** True if children can be run without network on this machine. */
export async function canCutNetwork(): Promise<boolean> {
  return (await wayOut()) !== null;
}

/** The command to run so that it has no network; where nothing permits that, the command itself, and one warning. */
export async function withoutNetwork(command: [string, ...string[]]): Promise<[string, ...string[]]> {
  const [first, ...rest] = (await wayOut()) ?? [];
  return first === undefined ? command : [first, ...rest, ...command];
}

/** Those who ask at the same time share one try. */
async function wayOut(): Promise<readonly string[] | null> {
  if (found) return found;
  trying ??= findWay()
    .catch(() => null)
    .finally(() => void (trying = null));
  found = (await trying) ?? found;
  if (!found && !isWarned) {
    isWarned = true;
    process.emitWarning(
      'The converter cannot be cut off from the network on this machine; linked media are blocked by its settings only.',
    );
  }
  return found;
}

async function findWay(): Promise<readonly string[] | null> {
  const unshare = findProgram('unshare');
  const nothing = findProgram('true');
  const prlimit = findProgram('prlimit');
  if (unshare === null || nothing === null) return null;
  for (const flags of WAYS) {
    const isOwnUser = flags[0] === '-rn' && prlimit !== null;
    const way = [unshare, ...flags, ...(isOwnUser ? [prlimit, `--nproc=${MOST_TASKS}`] : [])];
    const limits = { wallMs: 5_000, cpuSeconds: 5 };
    const [command, ...args] = [...way, nothing];
    const end = await runChild({ command, args, cwd: '/', env: {}, limits }).catch(() => null);
    if (end?.code === 0) return way;
  }
  return null;
}
