import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Makes a temporary folder for a PostgreSQL server, in the memory folder of the run if it has one (tests/database.ts). Where root has no
 * user namespaces, as in a container, PostgreSQL runs as another user, who has to pass through the folder: `mkdtemp` makes folders that
 * only their owner can pass.
 * @param prefix the start of the name: `ceku-site-`
 */
export function makePassableFolder(prefix: string, parent = process.env['TEST_MEMORY'] ?? tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, prefix));
  chmodSync(folder, 0o711);
  return folder;
}
