import { rm } from 'node:fs/promises';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { makePassableFolder } from '../passable-folder.ts';
import { openTestApp } from '../test-app.ts';
import { openLibrary, type Library } from './ask-library.ts';

/** Calls `use` with the demo library, or with the decks of `folder`, in a database of its own, which is removed afterwards. */
export async function withTemporaryLibrary<T>(
  folder: string | undefined,
  use: (library: Library) => Promise<T>,
): Promise<T> {
  const dataDir = makePassableFolder('ceku-relevance-');
  const log = { info: () => undefined, warn: (message: string) => console.error(message) };
  const server = await openEmbeddedPostgres({ dataDir, role: 'tool', log, settings: { fsync: 'off' } });
  try {
    await migrate(server.url);
    const app = await openTestApp({ hasEngine: true, database: { url: server.url, drop: async () => undefined } });
    try {
      return await use(await openLibrary(app, folder));
    } finally {
      await app.close();
    }
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
