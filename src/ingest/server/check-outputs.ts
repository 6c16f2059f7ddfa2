import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT, OperatorError } from '../../platform/command-line.ts';

/**
 * Whether what a batch will write can be written: asked before the work, which may take hours, and not after it. Makes the
 * quarantine folder that was named. Throws OperatorError (73).
 */
export async function checkOutputs(outputs: { result?: string; quarantine?: string | false }): Promise<void> {
  const { result, quarantine } = outputs;
  if (result) {
    const found = await stat(result).catch(() => null);
    if (found?.isDirectory()) throw unwritable(result, 'it is a folder');
    await access(dirname(result), constants.W_OK).catch((error: unknown) => {
      throw unwritable(result, reasonOf(error));
    });
  }
  if (quarantine) {
    try {
      await mkdir(quarantine, { recursive: true });
      await access(quarantine, constants.W_OK);
    } catch (error) {
      throw unwritable(quarantine, reasonOf(error));
    }
  }
}

function unwritable(path: string, reason: string): OperatorError {
  return new OperatorError(`${path} cannot be written: ${reason}. Nothing was taken in.`, EXIT.cannotCreate);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'there is no such folder';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file is in the way';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'that is not allowed';
  return code || String(error);
}
