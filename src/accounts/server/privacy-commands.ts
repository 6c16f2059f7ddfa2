import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { EXIT, OperatorError, printResult } from '../../platform/command-line.ts';
import { findObstacle } from './cancel-account.ts';
import { eraseUser } from './erase-user.ts';
import { nameOf } from './name-of.ts';
import { packPersonalData } from './pack-personal-data.ts';
import type { PersonalData } from './personal-data.ts';
import { whichUser, withWho, type WhoOptions } from './which-user.ts';

type ExportOptions = WhoOptions & { json?: boolean; to: string };
type EraseOptions = WhoOptions & { json?: boolean; yes?: boolean };

/** `ceku user export|erase`: what members do for themselves on /user/userinfo (C-74), for those who write a letter. */
export function privacyCommands(group: Command, open: Open, parts: PersonalData[]): void {
  withWho(group.command('export').description('everything kept about a user, as a ZIP of JSON files'))
    .requiredOption('--to <file>', 'where to write it; an existing file is not overwritten')
    .action((options: ExportOptions) => open((ctx) => exportOne(ctx, parts, options)));
  withWho(group.command('erase').description('remove everything personal about a user, for good and at once'))
    .option('--yes', 'I know that this cannot be undone')
    .action((options: EraseOptions) => open((ctx) => erase(ctx, parts, options)));
}

async function exportOne(ctx: Ctx, parts: PersonalData[], options: ExportOptions): Promise<void> {
  const user = await whichUser(ctx, options);
  const zip = await packPersonalData(ctx, parts, user.id);
  try {
    await writeFile(options.to, zip, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (reason === 'EEXIST') throw new OperatorError(`${options.to} exists already.`, EXIT.cannotCreate);
    throw new OperatorError(
      `${options.to} cannot be written: ${reason === 'ENOENT' ? 'there is no such folder' : reason}.`,
      EXIT.cannotCreate,
    );
  }
  const words = `The data of ${nameOf(user)} is in ${options.to} (${zip.byteLength} bytes).`;
  printResult(options, { id: user.id, file: options.to, bytes: zip.byteLength }, words);
}

async function erase(ctx: Ctx, parts: PersonalData[], options: EraseOptions): Promise<void> {
  const user = await whichUser(ctx, options);
  if (!options.yes) {
    throw new OperatorError(`Erasing ${nameOf(user)} cannot be undone. Say --yes to do it.`, EXIT.usage);
  }
  const obstacle = await findObstacle(ctx, parts, user.id);
  if (obstacle !== null) throw new OperatorError(`${nameOf(user)} cannot be erased now: ${obstacle}`, EXIT.data);
  if (!(await eraseUser(ctx, parts, user.id))) throw new OperatorError('The account was erased already.', EXIT.data);
  printResult(
    options,
    { id: user.id, state: 'erased' },
    `The account ${user.id} is erased; its coins stay in the books.`,
  );
}
