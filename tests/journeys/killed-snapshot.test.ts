import { expect, test } from 'vitest';
import { killWhileSaving } from '../chaos/snapshot-kills.ts';

// A handful; tests/chaos/kill-snapshots.ts does many.
test('a site killed while it writes its search snapshot starts again and finds everything', async () => {
  const report = await killWhileSaving({ kills: 4, documents: 5_000, decks: 0, say: () => undefined });
  expect(report).toMatchObject({ kills: 4, damaged: 1, problems: [] });
});
