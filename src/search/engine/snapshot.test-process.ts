import { allocateSegment } from './layout.ts';
import { saveSnapshot } from './snapshot.ts';

/** Saves snapshots of about 20 MB over and over, to be killed at any moment. Says so after the first. */
const [, , path = ''] = process.argv;
const counts = { documents: 500_000, terms: 0, termUnits: 0, postings: 0, themeSets: 0, themes: 0, industries: 0 };
const buffer = allocateSegment(counts);
for (let horizon = 1; ; horizon++) {
  new Uint8Array(buffer, 64).fill(horizon % 251);
  saveSnapshot(path, buffer, { lineage: 'here', horizon: String(horizon) });
  if (horizon === 1) process.stdout.write('saved\n');
}
