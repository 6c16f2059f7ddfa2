import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { IndexedDocument } from '../../src/search/engine/format/document.ts';
import { toIndexed } from '../../src/search/engine/build/index-document.ts';
import { corpus } from './corpus.ts';

const run = promisify(execFile);
const FOLDER = join(tmpdir(), 'ceku-bench-corpus');
const PROGRAM = fileURLToPath(new URL('./tokenize-corpus.ts', import.meta.url));
/** The corpus is named by a hash of these first documents: another generator or tokenizer makes another file. */
const HASHED = 100;
/** Bytes of a file that are read at once. */
const PART = 1 << 22;

/**
 * Tokenizes a corpus once, in a process for each processor, and keeps it in the temporary folder: a million whole decks take minutes and eight
 * gigabytes. Returns the paths of the files, in the order of ids.
 */
export async function tokenizeCorpus(documents: number, isWhole: boolean): Promise<string[]> {
  const hash = createHash('sha256');
  for (const document of corpus(Math.min(HASHED, documents), isWhole)) hash.update(JSON.stringify(toIndexed(document)));
  mkdirSync(FOLDER, { recursive: true });
  const kind = isWhole ? 'whole' : 'names';
  const name = `${kind}-${documents}-${hash.digest('hex').slice(0, 16)}`;
  const shards = documents > 10 * HASHED ? availableParallelism() : 1;
  const size = Math.ceil(documents / shards);
  return Promise.all(
    Array.from({ length: shards }, async (_, shard) => {
      const path = join(FOLDER, `${name}-${shard + 1}-of-${shards}.jsonl`);
      if (existsSync(path)) return path;
      const from = 1 + shard * size;
      const temporary = `${path}.${process.pid}.tmp`;
      await run(process.execPath, [PROGRAM, temporary, kind, String(documents), String(from), String(from + size)]);
      renameSync(temporary, path);
      return path;
    }),
  );
}

/** Yields the documents that tokenizeCorpus wrote. */
export function* readTokenized(paths: readonly string[]): Generator<IndexedDocument> {
  for (const path of paths) yield* readFile(path);
}

function* readFile(path: string): Generator<IndexedDocument> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(PART);
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const count = readSync(file, bytes);
      const lines = (rest + decoder.decode(bytes.subarray(0, count), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      // Safe: tokenize-corpus.ts wrote the lines.
      for (const line of lines) yield JSON.parse(line) as IndexedDocument;
      if (count === 0) return;
    }
  } finally {
    closeSync(file);
  }
}
