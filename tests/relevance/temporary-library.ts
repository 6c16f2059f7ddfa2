import { rm } from 'node:fs/promises';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { makePassableFolder } from '../passable-folder.ts';
import { openTestApp } from '../test-app.ts';
import { openLibrary, type Library, type LibrarySource } from './ask-library.ts';

/** Calls `use` with a library in a database of its own, which is removed afterwards. */
export async function withTemporaryLibrary<T>(
  source: LibrarySource,
  use: (library: Library) => Promise<T>,
): Promise<T> {
  const dataDir = makePassableFolder('ceku-relevance-');
  const log = { info: () => undefined, warn: (message: string) => console.error(message) };
  const server = await openEmbeddedPostgres({ dataDir, role: 'tool', log, settings: { fsync: 'off' } });
  try {
    await migrate(server.url);
    const app = await openTestApp({ hasEngine: true, database: { url: server.url, drop: async () => undefined } });
    try {
      return await use(await openLibrary(app, source));
    } finally {
      await app.close();
    }
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
