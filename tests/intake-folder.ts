import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { smallPdf } from './small-pdf.ts';

export type IntakeFolder = {
  intake: string;
  /** A file outside of `intake`, readable by the operator alone. */
  secret: string;
  /** Puts a link to the secret in the place of `a.pdf`, or of the folder `sub`. */
  swap: { file(): Promise<void>; folder(): Promise<void> };
};

/** An intake folder with `a.pdf` and `sub/b.pdf`, and the secrets outside it under the same names; each of its own content. */
export async function layIntakeFolder(place: string): Promise<IntakeFolder> {
  const [intake, secret] = [join(place, 'intake'), join(place, 'secret')];
  for (const at of [intake, secret]) await mkdir(join(at, 'sub'), { recursive: true });
  for (const name of ['a.pdf', 'sub/b.pdf']) {
    await writeFile(join(intake, name), smallPdf(`Open ${name} of ${place}`));
    await writeFile(join(secret, name), smallPdf(`Secret ${name} of ${place}`));
  }
  return {
    intake,
    secret,
    swap: {
      file: async () => {
        await rm(join(intake, 'a.pdf'));
        await symlink(join(secret, 'a.pdf'), join(intake, 'a.pdf'));
      },
      folder: async () => {
        await rename(join(intake, 'sub'), join(intake, 'gone'));
        await symlink(join(secret, 'sub'), join(intake, 'sub'));
      },
    },
  };
}
