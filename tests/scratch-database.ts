import { rm } from 'node:fs/promises';
import { openEmbeddedPostgres } from '../src/platform/db/embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { makePassableFolder } from './passable-folder.ts';
import type { TestDatabase } from './test-database.ts';

/**
 * A PostgreSQL of its own with an empty database, for suites that are run by hand. `settings` are those of the server; a
 * database for openTestApp is never dropped, because it goes with the server.
 */
export async function openScratchDatabase(settings: Record<string, string> = { fsync: 'off' }) {
  const folder = makePassableFolder('ceku-scratch-');
  const log = { info: () => undefined, warn: (line: string) => console.error(line) };
  const server = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', log, settings });
  await migrate(server.url);
  const database: TestDatabase = { url: server.url, drop: async () => undefined };
  return {
    folder,
    database,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
