import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHILD_PROGRAM } from './child-program.ts';
import { findProgram, runChild } from './run-child.ts';
import { sandboxRoot } from './sandbox-root.ts';
import { CHILD_USER, WORK_FOLDER } from './work-folders.ts';

/**
 * How a child is started. `user`: the user it runs as, null for our own. `hidesFiles`: its root folder holds what it may read and
 * nothing else. `cutsNetwork`: it has no network, not even the machine's own.
 */
export type Sandbox = { user: number | null; hidesFiles: boolean; cutsNetwork: boolean; isUserNamespace: boolean };

/** A folder for the work of one child. The child reads `in` and writes `out`; `root` is where its root folder is mounted. */
export type Box = { folder: string; in: string; out: string; sandbox: Sandbox };

type Command = [string, ...string[]];

const NONE: Sandbox = { user: null, hidesFiles: false, cutsNetwork: false, isUserNamespace: false };

/** From the best to none. */
export function sandboxesFor(isRoot: boolean): Sandbox[] {
  if (['unshare', 'setpriv', 'prlimit', 'mount'].some((program) => findProgram(program) === null)) return [NONE];
  const cut = { ...NONE, cutsNetwork: true };
  const inNamespace = { ...cut, isUserNamespace: true };
  if (!isRoot) return [{ ...inNamespace, hidesFiles: true }, inNamespace, NONE];
  // Root needs no user namespace, unless it is a container's root without CAP_SYS_ADMIN.
  const dropped = [{ ...cut, hidesFiles: true }, { ...inNamespace, hidesFiles: true }, cut, inNamespace, NONE];
  return [...dropped.map((sandbox) => ({ ...sandbox, user: CHILD_USER })), cut, inNamespace, NONE];
}

/** A limit of tasks is counted by user: that of a user namespace counts the child's alone, that of `CHILD_USER` all children's. */
const MAX_TASKS_OF_ONE = 512;
const MAX_TASKS_OF_ALL = 2_048;

/** The command line behind all that seals it off. A change of user or namespace makes the kernel forget `--pdeathsig`: it is set after each. */
function wrap({ user, hidesFiles, cutsNetwork, isUserNamespace }: Sandbox, box: string, command: Command): Command {
  const setpriv = findProgram('setpriv');
  const unshare = findProgram('unshare');
  const prlimit = findProgram('prlimit');
  if (setpriv === null || unshare === null || prlimit === null) return command;
  const diesWithParent = ['--pdeathsig', 'KILL'];
  const asUser = user === null ? [] : ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
  const noPrivileges = ['--no-new-privs', '--bounding-set', '-all', '--inh-caps', '-all'];
  // A process namespace as well: whatever the child starts, and however it hides, ends with it.
  const namespaces = [hidesFiles ? '-mnpi' : '-np', '--fork', '--kill-child'];
  const wrapped = [
    ...(isUserNamespace && user !== null ? [setpriv, ...asUser, ...diesWithParent] : []),
    ...(isUserNamespace ? [unshare, '-r', setpriv, ...diesWithParent] : []),
    ...(cutsNetwork ? [unshare, ...namespaces] : []),
    ...(hidesFiles ? ['/bin/sh', join(box, 'setup.sh')] : []),
    ...(isUserNamespace ? [prlimit, `--nproc=${MAX_TASKS_OF_ONE}`] : []),
    ...(!isUserNamespace && user !== null ? [prlimit, `--nproc=${MAX_TASKS_OF_ALL}`] : []),
    setpriv,
    ...(isUserNamespace ? [] : asUser),
    // Only who has CAP_SETPCAP may empty the bounding set.
    ...(isUserNamespace || user !== null ? noPrivileges : ['--no-new-privs']),
    ...diesWithParent,
  ];
  const [first = setpriv, ...rest] = wrapped;
  return [first, ...rest, ...command];
}

/** A weaker sandbox than the best may have been a moment of trouble (no memory, no process left): the search is repeated after this time. */
const RETRY_MS = 10 * 60_000;

let found: { sandbox: Sandbox; until: number } | null = null;
let search: Promise<Sandbox> | null = null;
let isWarned = false;

/** The best sandbox that works on this machine. Rejects while no program can be started at all. */
export async function findSandbox(): Promise<Sandbox> {
  if (found && Date.now() < found.until) return found.sandbox;
  search ??= trySandboxes().finally(() => void (search = null));
  return search;
}

async function trySandboxes(): Promise<Sandbox> {
  const sandboxes = sandboxesFor(process.getuid?.() === 0);
  for (const sandbox of sandboxes) {
    if (!(await works(sandbox))) continue;
    found = { sandbox, until: sandbox === sandboxes[0] ? Infinity : Date.now() + RETRY_MS };
    warnOnce(sandbox);
    return sandbox;
  }
  throw new Error('no child process can be started');
}

const NEEDED = [CHILD_PROGRAM, process.execPath];
/** Run with the box and what children need to read. */
const PROBE = 'cd "$1" && cat in/probe > out/probe && shift && for file; do test -r "$file" || exit 1; done';

/** Whether children can be started that way on this machine, and can do their work. */
export async function works(sandbox: Sandbox): Promise<boolean> {
  const box = await openBox(sandbox);
  try {
    await writeFile(join(box.in, 'probe'), '');
    const [command, ...args] = await sandboxed(box, ['/bin/sh', '-c', PROBE, 'sh', box.folder, ...NEEDED]);
    const end = await runChild({ command, args, cwd: '/', env: {}, limits: { wallMs: 10_000, cpuSeconds: 5 } });
    return end.code === 0;
  } finally {
    await rm(box.folder, { recursive: true, force: true });
  }
}

function warnOnce({ user, hidesFiles, cutsNetwork }: Sandbox): void {
  const lacks = [
    ...(process.getuid?.() === 0 && user === null ? ['they run as root'] : []),
    ...(hidesFiles ? [] : ['they see every file that their user may read']),
    ...(cutsNetwork ? [] : ['they can reach the network']),
  ];
  if (lacks.length === 0 || isWarned) return;
  isWarned = true;
  process.emitWarning(
    `The programs that read uploaded files cannot be sealed off fully on this machine: ${lacks.join(', ')}. ` +
      'docs/operations.md says what is needed.',
  );
}

/** An empty box, outside the data folder. Whoever opens it removes it. */
export async function openBox(wanted?: Sandbox): Promise<Box> {
  const sandbox = wanted ?? (await findSandbox());
  const folder = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-box-`));
  const box = { folder, in: join(folder, 'in'), out: join(folder, 'out'), sandbox };
  // The child passes through, and lists nothing.
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'root'));
  await mkdir(box.in, { mode: 0o750 });
  await mkdir(box.out, { mode: 0o700 });
  await giveToChild(box, box.out);
  // The group alone: what lies in `in` stays ours.
  if (sandbox.user !== null) await chown(box.in, 0, sandbox.user);
  return box;
}

/** Makes a file or folder in `out` the child's. */
export async function giveToChild({ sandbox }: Box, path: string): Promise<void> {
  if (sandbox.user !== null) await chown(path, sandbox.user, sandbox.user);
}

/** The command to run in a box, sealed off from the rest of the machine as far as the machine allows. It starts in `out`. */
export async function sandboxed(box: Box, command: Command): Promise<Command> {
  if (box.sandbox.hidesFiles) {
    const { setup, fstab } = sandboxRoot(box.folder, command[0]);
    await writeFile(join(box.folder, 'setup.sh'), setup, { mode: 0o644 });
    await writeFile(join(box.folder, 'fstab'), fstab, { mode: 0o644 });
  }
  return wrap(box.sandbox, box.folder, command);
}
