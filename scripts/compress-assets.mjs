import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Extensions of text files; pictures and fonts are already compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest|txt|ico)$/;
/** Minimum size in bytes; smaller files hardly shrink. */
const MIN_BYTES = 200;

/**
 * Writes `file.br` and `file.gz` beside each file of a folder that gets smaller by it, as hard as both formats can. The
 * site sends them as they are (src/platform/http/answers/static-files.ts).
 * @param {string} folder
 */
export async function compressAssets(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      if (bytes.length < MIN_BYTES) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      const made = { br: await brotli(bytes, { params }), gz: await deflate(bytes, { level: 9 }) };
      for (const [ending, compressed] of Object.entries(made)) {
        if (compressed.length < bytes.length) await writeFile(`${file}.${ending}`, compressed);
      }
    }),
  );
}
