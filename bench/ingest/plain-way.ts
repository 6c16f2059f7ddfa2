import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Number of pages with an image, and the width of the images: the same as in `ceku ingest`. */
const PAGES = 10;
const WIDTH = 1_280;

/**
 * The simplest script: `soffice --convert-to pdf` for each deck, then `pdftoppm -png`. `lanes` run side by side, with a
 * LibreOffice profile each. Returns the number of documents and pages.
 */
export async function goPlainWay(
  files: readonly string[],
  folder: string,
  lanes: number,
): Promise<{ documents: number; pages: number }> {
  const left = [...files.entries()];
  let documents = 0;
  let pages = 0;
  const work = async (lane: number) => {
    const profile = pathToFileURL(join(folder, `profile-${lane}`)).href;
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, file] = next;
      const out = join(folder, String(index));
      await mkdir(out, { recursive: true });
      const made = await drawPlainly(file, out, profile);
      if (made > 0) documents++;
      pages += made;
      await rm(out, { recursive: true });
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  return { documents, pages };
}

async function drawPlainly(file: string, out: string, profile: string): Promise<number> {
  const isPdf = extname(file).toLowerCase() === '.pdf';
  if (!isPdf)
    await run('soffice', [
      `-env:UserInstallation=${profile}`,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      out,
      file,
    ]);
  const pdf = isPdf ? file : join(out, `${basename(file, extname(file))}.pdf`);
  await run('pdftoppm', [
    '-png',
    '-l',
    String(PAGES),
    '-scale-to-x',
    String(WIDTH),
    '-scale-to-y',
    '-1',
    pdf,
    join(out, 'page'),
  ]);
  return (await readdir(out)).filter((name) => name.endsWith('.png')).length;
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'ignore' });
  await once(child, 'exit');
}
