import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A new temporary folder for a PostgreSQL of one's own. Where root has no user namespaces, as in a container,
 * PostgreSQL runs as another user, who must get through: `mkdtemp` closes its folders to everybody else.
 * @param prefix the start of its name: `ceku-site-`
 */
export function makePassableFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}
