import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, runChild } from './run-child.ts';
import { sandboxRoot } from './sandbox-root.ts';
import { CHILD_USER, WORK_FOLDER } from './work-folders.ts';
import { fileURLToPath } from 'node:url';

/** Path of the program that reads and draws untrusted files. It runs as a child process and is never imported. */
export const CHILD_PROGRAM = fileURLToPath(new URL('../render-child.ts', import.meta.url));

/**
 * How a child is isolated. `user` is the user that it runs as; null for the user of this process. `hidesFiles`: its
 * root folder contains only what it may read. `cutsNetwork`: it has no network, not even loopback.
 */
export type Sandbox = { user: number | null; hidesFiles: boolean; cutsNetwork: boolean; isUserNamespace: boolean };

/** A folder for one child. The child reads `in` and writes `out`; `root` is where its root folder is mounted. */
export type Box = { folder: string; in: string; out: string; sandbox: Sandbox };

type Command = [string, ...string[]];

const NONE: Sandbox = { user: null, hidesFiles: false, cutsNetwork: false, isUserNamespace: false };

/** Returns the sandboxes to try, from the strongest to none. */
export function sandboxesFor(isRoot: boolean): Sandbox[] {
  if (['unshare', 'setpriv', 'prlimit', 'mount'].some((program) => findProgram(program) === null)) return [NONE];
  const cut = { ...NONE, cutsNetwork: true };
  const inNamespace = { ...cut, isUserNamespace: true };
  if (!isRoot) return [{ ...inNamespace, hidesFiles: true }, inNamespace, NONE];
  // Root needs no user namespace, except root of a container without CAP_SYS_ADMIN.
  const dropped = [{ ...cut, hidesFiles: true }, { ...inNamespace, hidesFiles: true }, cut, inNamespace, NONE];
  return [...dropped.map((sandbox) => ({ ...sandbox, user: CHILD_USER })), cut, inNamespace, NONE];
}

/** Limits of tasks are counted per user: in a user namespace they count one child, for `CHILD_USER` all children. */
const MAX_TASKS_OF_ONE = 512;
const MAX_TASKS_OF_ALL = 2_048;

/**
 * Returns the command line that isolates and runs `command`. The kernel drops `--pdeathsig` at each change of user or
 * namespace, so it is set again after each.
 */
function wrap({ user, hidesFiles, cutsNetwork, isUserNamespace }: Sandbox, box: string, command: Command): Command {
  const setpriv = findProgram('setpriv');
  const unshare = findProgram('unshare');
  const prlimit = findProgram('prlimit');
  if (setpriv === null || unshare === null || prlimit === null) return command;
  const diesWithParent = ['--pdeathsig', 'KILL'];
  const asUser = user === null ? [] : ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
  const noPrivileges = ['--no-new-privs', '--bounding-set', '-all', '--inh-caps', '-all'];
  // The process namespace ends every descendant with the child.
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
    // Emptying the bounding set needs CAP_SETPCAP.
    ...(isUserNamespace || user !== null ? noPrivileges : ['--no-new-privs']),
    ...diesWithParent,
  ];
  const [first = setpriv, ...rest] = wrapped;
  return [first, ...rest, ...command];
}

/**
 * A sandbox weaker than the strongest may have been chosen in a short lack of memory or processes: the search is
 * repeated after this time.
 */
const RETRY_MS = 10 * 60_000;

let found: { sandbox: Sandbox; until: number } | null = null;
let search: Promise<Sandbox> | null = null;
let isWarned = false;

/** Returns the strongest sandbox that works on this machine. Rejects while no program can be started at all. */
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
/** Arguments: the folder of the box, then the files that children need to read. */
const PROBE = 'cd "$1" && cat in/probe > out/probe && shift && for file; do test -r "$file" || exit 1; done';

/** Whether children can be started in this sandbox on this machine, and can read and write what they need. */
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

/** Creates an empty box outside the data folder. The caller removes it. */
export async function openBox(wanted?: Sandbox): Promise<Box> {
  const sandbox = wanted ?? (await findSandbox());
  const folder = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-box-`));
  const box = { folder, in: join(folder, 'in'), out: join(folder, 'out'), sandbox };
  // The child may enter the folder but not list it.
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'root'));
  await mkdir(box.in, { mode: 0o750 });
  await mkdir(box.out, { mode: 0o700 });
  await giveToChild(box, box.out);
  // Only the group of `in` is changed: this process stays the owner.
  if (sandbox.user !== null) await chown(box.in, 0, sandbox.user);
  return box;
}

/** Changes the owner of a file or folder in `out` to the child's user. */
export async function giveToChild({ sandbox }: Box, path: string): Promise<void> {
  if (sandbox.user !== null) await chown(path, sandbox.user, sandbox.user);
}

/**
 * Returns the command line that runs `command` in a box, isolated as far as the machine allows. The child starts in
 * `out`.
 */
export async function sandboxed(box: Box, command: Command): Promise<Command> {
  if (box.sandbox.hidesFiles) {
    const { setup, fstab } = sandboxRoot(box.folder, command[0]);
    await writeFile(join(box.folder, 'setup.sh'), setup, { mode: 0o644 });
    await writeFile(join(box.folder, 'fstab'), fstab, { mode: 0o644 });
  }
  return wrap(box.sandbox, box.folder, command);
}
