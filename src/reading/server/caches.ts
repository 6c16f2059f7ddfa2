import { createMemo } from '../../platform/memo.ts';

/** Creates the caches of reading, in the memory of this process: 60 posters, some 200 KB each, for an hour. */
export const createReadingCaches = () => ({ posters: createMemo<Buffer>(60 * 60 * 1_000, 60) });
