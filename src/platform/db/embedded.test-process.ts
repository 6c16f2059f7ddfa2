import { openEmbeddedPostgres } from './embedded.ts';

// A process of its own for the tests of the embedded database: opens it, tells the address, and stays until killed.
const [dataDir = '', role] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined };
const settings = { fsync: 'off', shared_buffers: '16MB' };
const database = await openEmbeddedPostgres({ dataDir, role: role === 'site' ? 'site' : 'tool', log, settings });
process.send?.(database.url);
