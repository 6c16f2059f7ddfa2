import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Vitest runs this before each journey file. Beside the unit tests, which take both of two processors, only one journey
 * file runs at a time: the second worker waits for the file that `npm test` writes when the unit tests have ended
 * (scripts/test.mjs). Journeys that run by themselves wait for nothing.
 */
const unitTestsEnded = process.env['UNIT_TESTS_ENDED'];
const isSecondWorker = process.env['VITEST_POOL_ID'] !== '1';

while (unitTestsEnded && isSecondWorker && !existsSync(unitTestsEnded)) await wait(500);
