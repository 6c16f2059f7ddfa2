import { randomUUID } from 'node:crypto';
import { lstat, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import { kindOf } from '../source/open-source.ts';
import { makeFolder } from '../../../platform/files/folders.ts';
import { NO_SUCH_FOLDER, whyNotWritten } from '../../../platform/files/new-file.ts';
import { draftOf, isListOfResults } from './write-results.ts';

/**
 * Checks, before a batch that may take hours, that its outputs can be written. Creates the quarantine folder. Throws
 * OperatorError (73).
 */
export async function checkOutputs(outputs: { result?: string; quarantine?: string | false }): Promise<void> {
  const { result, quarantine } = outputs;
  if (result) {
    const obstacle = await obstacleAt(result);
    if (obstacle) throw unwritable(result, obstacle);
    await tryWriting(draftOf(result)).catch((error: unknown) => {
      throw unwritable(result, whyNotWritten(error));
    });
  }
  if (quarantine) {
    try {
      // As `quarantineFile` makes it: refused files may hold what nobody else may read.
      await makeFolder(quarantine, 0o700);
      await tryWriting(join(quarantine, `.${randomUUID()}`));
    } catch (error) {
      throw unwritable(quarantine, whyNotWritten(error));
    }
  }
}

/**
 * Returns why the results must not replace the file at `result`, or null. Earlier results are replaced, but never a
 * deck, the manifest or a device.
 */
async function obstacleAt(result: string): Promise<string | null> {
  const found = await lstat(result).catch(whyNotWritten);
  // tryWriting checks the parent folder.
  if (found === NO_SUCH_FOLDER) return null;
  if (typeof found === 'string') return found;
  if (found.isFile() && found.size === 0) return null;
  // Writing results would replace the link itself: /dev/stdout is a link.
  if (found.isSymbolicLink()) return 'it is a link; name the file itself';
  if (!found.isFile()) return `it is ${kindOf(found)}`;
  const isOurs = await startOf(result).then(isListOfResults, () => false);
  return isOurs ? null : 'another file is there, which would be lost';
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Writes a file to check: permissions say nothing about root on /proc, or about a full disk. */
async function tryWriting(path: string): Promise<void> {
  await writeFile(path, 'x', { flag: 'wx' });
  await rm(path);
}

function unwritable(path: string, reason: string): OperatorError {
  return new OperatorError(`${path} cannot be written: ${reason}. Nothing was ingested.`, EXIT.cannotCreate);
}
