// kill -9 of the site, again and again, while it writes its search snapshot; a third of the time what is left is damaged
// as well. It must start every time, and find everything. Run: node tests/chaos/kill-snapshots.ts [--kills 30] [--documents 100000] [--decks 100] (whole decks)
import { parseArgs } from 'node:util';
import { killWhileSaving } from './snapshot-kills.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '30' },
    documents: { type: 'string', default: '100000' },
    decks: { type: 'string', default: '0' },
  },
});
const report = await killWhileSaving({
  kills: Math.min(Number(values.kills), 1_000),
  documents: Number(values.documents),
  decks: Number(values.decks),
  say: (line) => console.error(line),
});
console.log(JSON.stringify({ suite: 'kill-snapshots', violations: report.problems.length, ...report }));
process.exitCode = report.problems.length === 0 ? 0 : 1;
