import { rm } from 'node:fs/promises';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { makePassableFolder } from '../passable-folder.ts';
import { openTestApp } from '../test-app.ts';
import { measureRelevance, openLibrary, type Library, type Measured } from './ask-library.ts';
import { measureAutomatic, PAIRS, type AutomaticFigures } from './automatic-queries.ts';

export type TemporaryMeasurement = { library: Library; measured: Measured[]; automatic: AutomaticFigures };

/**
 * Measures in a database of its own, which is removed afterwards. With a `folder` of decks only the automatic queries are asked: the judged
 * sets are about the demo library.
 */
export async function measureInTemporaryLibrary(folder?: string): Promise<TemporaryMeasurement> {
  const dataDir = makePassableFolder('ceku-relevance-');
  const log = { info: () => undefined, warn: (message: string) => console.error(message) };
  const server = await openEmbeddedPostgres({ dataDir, role: 'tool', log, settings: { fsync: 'off' } });
  try {
    await migrate(server.url);
    const app = await openTestApp({ hasEngine: true, database: { url: server.url, drop: async () => undefined } });
    try {
      const library = await openLibrary(app, folder);
      const measured = folder ? [] : await measureRelevance(library);
      return { library, measured, automatic: await measureAutomatic(library, measured, PAIRS) };
    } finally {
      await app.close();
    }
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
