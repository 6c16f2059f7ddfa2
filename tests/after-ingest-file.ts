import { afterAll } from 'vitest';
import { closeIdleChildren } from '../src/ingest/server/convert/converter-pool.ts';

// The next file of this worker looks for processes and folders that its own tests left.
afterAll(closeIdleChildren);
