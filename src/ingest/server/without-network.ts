import { findProgram, runChild } from './run-child.ts';

/** A process namespace as well: whatever the child starts, and however it hides, ends with it. */
const ALL_OF_IT = ['--pid', '--fork', '--kill-child'] as const;

/** Ways to take the network from a child: plainly as root, by a user namespace as anyone else where the kernel allows it. */
const WAYS = [['-n', ...ALL_OF_IT], ['-rn', ...ALL_OF_IT], ['-n'], ['-rn']] as const;

let way: Promise<readonly string[] | null> | undefined;

/** True if children can be run without network on this machine. Tried once a process. */
export async function canCutNetwork(): Promise<boolean> {
  return (await (way ??= findWay())) !== null;
}

/** The command to run so that it has no network; where nothing permits that, the command itself, and one warning. */
export async function withoutNetwork(command: [string, ...string[]]): Promise<[string, ...string[]]> {
  const prefix = await (way ??= findWay());
  if (prefix === null) return command;
  const [first, ...rest] = prefix;
  return first === undefined ? command : [first, ...rest, ...command];
}

async function findWay(): Promise<readonly string[] | null> {
  const unshare = findProgram('unshare');
  const nothing = findProgram('true');
  if (unshare !== null && nothing !== null) {
    for (const flags of WAYS) {
      const end = await runChild({
        command: unshare,
        args: [...flags, nothing],
        cwd: '/',
        env: {},
        limits: { wallMs: 5_000, cpuSeconds: 5 },
      });
      if (end.code === 0) return [unshare, ...flags];
    }
  }
  process.emitWarning(
    'The converter cannot be cut off from the network on this machine; linked media are blocked by its settings only.',
  );
  return null;
}
