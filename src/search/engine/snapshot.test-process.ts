import { allocateSegment, NO_COUNTS } from './format/layout.ts';
import { saveSnapshot } from './snapshot.ts';

/** Saves snapshots of about 20 MB over and over, to be killed at any moment. Says so after the first. */
const [, , path = ''] = process.argv;
const buffer = allocateSegment({ ...NO_COUNTS, documents: 500_000 });
for (let horizon = 1; ; horizon++) {
  new Uint8Array(buffer, 64).fill(horizon % 251);
  saveSnapshot(path, buffer, { lineage: 'here', horizon: String(horizon) });
  if (horizon === 1) process.stdout.write('saved\n');
}
