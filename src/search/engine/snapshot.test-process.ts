import { allocateSegment, NO_COUNTS } from './format/layout.ts';
import { closeStore } from './format/page-store.ts';
import { saveSnapshot } from './snapshot.ts';

/** Saves snapshots of about 9 MB over and over, to be killed at any moment. Says so after the first. */
const [, , path = ''] = process.argv;
const postings = new Uint8Array(3_000_000).fill(3);
const buffer = allocateSegment({ ...NO_COUNTS, documents: 150_000 });
for (let horizon = 1; ; horizon++) {
  new Uint8Array(buffer, 64).fill(horizon % 251);
  const { segment } = saveSnapshot(path, { lineage: 'here', horizon: String(horizon) }, (pages) => {
    pages.append(postings);
    return { buffer, pages: pages.finish() };
  });
  closeStore(segment.pages);
  if (horizon === 1) process.stdout.write('saved\n');
}
