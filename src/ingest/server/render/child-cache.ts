import { execFile } from 'node:child_process';
import { chmod, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CHILD_PROGRAM } from '../sandbox/sandbox.ts';
import { CHILD_USER } from '../sandbox/work-folders.ts';

/** Of Node, for render children. What V8 has compiled is of use only to a process with the same flags. */
export const CHILD_FLAGS = ['--max-old-space-size=1024', '--max-semi-space-size=4'];

/** In `node_modules`, which a sandboxed child reads and cannot write. */
const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/ceku-render', import.meta.url));
const MAX_FILL_MS = 60_000;

let filling: Promise<string | null> | null = null;

/**
 * Returns a folder for NODE_COMPILE_CACHE of render children, which start in a third of the processor time with it; null where this process
 * may not write to it. The first call fills it, by a run of the program that is given no file: no child writes what another child loads.
 */
export function findChildCache(): Promise<string | null> {
  filling ??= fill().catch(() => null);
  return filling;
}

async function fill(): Promise<string> {
  const env = { NODE_COMPILE_CACHE: FOLDER, NODE_NO_WARNINGS: '1' };
  await promisify(execFile)(process.execPath, [...CHILD_FLAGS, CHILD_PROGRAM], { env, timeout: MAX_FILL_MS });
  const own = `-${process.getuid?.() ?? 0}`;
  for (const name of await readdir(FOLDER)) {
    if (!name.endsWith(own)) continue;
    const compiled = await readdir(join(FOLDER, name));
    await Promise.all(compiled.map((file) => chmod(join(FOLDER, name, file), 0o644)));
    // Node looks in a folder that is named by the user: a child's is CHILD_USER, or 0 in a user namespace.
    for (const user of [0, CHILD_USER])
      await symlink(name, join(FOLDER, `${name.slice(0, -own.length)}-${user}`)).catch(() => undefined);
  }
  return FOLDER;
}
