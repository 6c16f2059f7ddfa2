/** Compiles kernel.as to the module that the engine loads, with the hash of its source in a section of its own, by which a test tells that they fit. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SOURCE = pathOf('kernel.as');
const MODULE = pathOf('../../src/search/engine/kernel/kernel.wasm');
const COMPILER = pathOf('node_modules/assemblyscript/bin/asc.js');
const OPTIONS = ['-O3', '--converge', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
/** Name of the section. */
const HASH = 'source-sha256';

const folder = mkdtempSync(join(tmpdir(), 'search-kernel-'));
try {
  // The compiler takes files of its own ending only.
  copyFileSync(SOURCE, join(folder, 'kernel.ts'));
  const output = ['--baseDir', folder, '--outFile', 'kernel.wasm'];
  execFileSync(process.execPath, [COMPILER, 'kernel.ts', ...output, ...OPTIONS], { stdio: 'inherit' });
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest();
  writeFileSync(MODULE, Buffer.concat([readFileSync(join(folder, 'kernel.wasm')), customSection(HASH, hash)]));
} finally {
  rmSync(folder, { recursive: true });
}

/** A custom section of a WebAssembly module. Name and content have less than 100 bytes, so that each length is one byte. */
function customSection(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), content]);
  return Buffer.concat([Buffer.from([0, named.length]), named]);
}
