import { closeSync, openSync, writeSync } from 'node:fs';
import { corpus } from './corpus.ts';
import { toIndexed } from '../../src/search/engine/build/index-document.ts';

/** Writes the tokenized documents `from` to `to` (excluded) of a corpus to a file, one JSON a line. Run by tokenized-corpus.ts. */
const [path = '', kind, total, from, to] = process.argv.slice(2);
/** Characters that are written at once. */
const PART = 1 << 22;

const file = openSync(path, 'w');
let part = '';
for (const document of corpus(Number(total), kind === 'whole', (id) => id >= Number(from) && id < Number(to))) {
  part += `${JSON.stringify(toIndexed(document))}\n`;
  if (part.length < PART) continue;
  writeSync(file, part);
  part = '';
}
writeSync(file, part);
closeSync(file);
