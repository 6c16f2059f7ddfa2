import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { convertManyToPdf, convertToPdf, findConverter } from './convert-to-pdf.ts';

let folder = '';
let workDir = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-convert-'));
  // The converter is another user where we are root.
  await chmod(folder, 0o755);
  workDir = join(folder, 'work');
  await mkdir(workDir);
  await writeFile(join(folder, 'a.ppt'), 'a deck');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program in the place of LibreOffice. It starts in `$out`, where its PDFs are looked for. */
async function converter(script: string): Promise<string> {
  const path = join(folder, 'soffice');
  await writeFile(path, `#!/bin/sh\nout="$PWD"\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

async function convert(script: string, wallMs?: number): Promise<string> {
  const input = { path: join(folder, 'a.ppt'), fileType: 'ppt', workDir, slides: null } as const;
  return convertToPdf({ ...input, converter: await converter(script), ...(wallMs !== undefined && { wallMs }) });
}

const filler = 'x'.repeat(100);

test.for<[what: string, script: string, code: string]>([
  ['one that says all is well and writes nothing', 'exit 0', 'convert-failed'],
  ['one that writes half a PDF', `printf '%%PDF-1.4 ${filler}' > "$out/deck.pdf"`, 'convert-failed'],
  ['one that writes something else', `printf 'GIF89a ${filler} %%%%EOF' > "$out/deck.pdf"`, 'convert-failed'],
  [
    'one that points to a PDF of ours',
    `printf '%%PDF-1.4 ${filler} %%%%EOF' > other.pdf; ln -s other.pdf "$out/deck.pdf"`,
    'convert-failed',
  ],
  ['one that leaves a pipe', 'mkfifo "$out/deck.pdf"', 'convert-failed'],
  [
    'one that writes 300 MB',
    `printf '%%PDF-1.4' > "$out/deck.pdf"; truncate -s 300M "$out/deck.pdf"; printf '%%%%EOF' >> "$out/deck.pdf"`,
    'convert-failed',
  ],
  ['one that talks without end', 'while :; do echo "talk talk talk talk"; done', 'convert-timeout'],
  ['one that crashes', "sh -c 'kill -SEGV $$'", 'convert-failed'],
  ['one that hangs', 'sleep 1000', 'convert-timeout'],
  [
    'one that will not be stopped',
    'trap "" TERM INT HUP; (setsid sleep 1000 &) ; while :; do sleep 1; done',
    'convert-timeout',
  ],
])('%s fails by name and leaves nothing', async ([, script, code]) => {
  const start = performance.now();
  // A busy machine needs more than a second to run the others to their end.
  const wallMs = code === 'convert-timeout' ? 700 : 30_000;
  await expect(convert(script, wallMs)).rejects.toMatchObject({ name: 'RefusedError', code, kind: 'failed' });
  // The scripts go on for a quarter of an hour.
  expect(performance.now() - start).toBeLessThan(60_000);
  expect(await readdir(workDir)).toEqual([]);
  if (process.platform === 'linux') await expect.poll(() => processesIn(folder)).toEqual([]);
});

test.each([
  `printf 'Fatal exception: Signal 11\\nStack:\\n/usr/lib/libuno_sal.so.3(+0x3e7a3)[0x7f]\\n' >&2; exit 77`,
  `printf 'Unspecified Application Error\\n\\n' >&2; exit 1`,
  // The shell ends as the program in it. In some sandboxes it is process 1, which its own signal does not end.
  "echo starting; sh -c 'kill -SEGV $$'",
  'echo starting; exit 134',
])('a crash of LibreOffice is told as such: %s', async (script) => {
  expect(await reasonOf(script)).toBe('LibreOffice crashed');
});

test('a deck that LibreOffice cannot load is refused: trying again is useless', async () => {
  await expect(convert('echo "Error: source file could not be loaded" >&2')).rejects.toMatchObject({
    code: 'not-loadable',
    kind: 'refused',
  });
});

test.each([
  ['told to end', 'exit 143'],
  ['told to end', 'exit 130'],
  ['told to end', 'trap - TERM; kill -TERM $$; exit 143'],
  ['killed from outside', "echo starting; sh -c 'kill -KILL $$'"],
  ['killed from outside', 'exit 137'],
])(
  'one that is %s, as by the stop of the site or for want of memory, is no refusal of the deck: %s',
  async (how, script) => {
    const error: unknown = await convert(script).catch((thrown: unknown) => thrown);
    expect(String(error)).toBe(`Error: LibreOffice was ${how}`);
  },
);

test.each([
  "echo starting; sh -c 'kill -XCPU $$'",
  // After a crash it is killed while it writes what became of it.
  `printf 'Fatal exception: Signal 24\nStack:\n' >&2; exit 137`,
])('one that used all its processor time is a refusal of the deck: %s', async (script) => {
  await expect(convert(script)).rejects.toMatchObject({ name: 'RefusedError', code: 'convert-failed' });
});

test.skipIf(process.platform !== 'linux')(
  'one that starts ever more processes fails, and takes them along',
  async () => {
    const daemons = 'i=0; while [ $i -lt 60 ]; do (setsid sleep 1000 &); i=$((i+1)); done; sleep 1000';
    await expect(convert(daemons, 20_000)).rejects.toMatchObject({
      code: 'convert-failed',
      detail: expect.stringContaining('too many processes'),
    });
    await expect.poll(() => processesIn(folder)).toEqual([]);
  },
);

test('a complete PDF is accepted with any exit code', async () => {
  const pdf = await convert(`printf '%%PDF-1.4 ${filler} %%%%EOF' > "$out/deck.pdf"; exit 77`);
  expect(pdf).toBe(join(workDir, 'deck.pdf'));
  expect(await readdir(workDir)).toEqual(['deck.pdf']);
});

/** Runs a failing script in place of LibreOffice. Returns the reason that the caller gets: the end of the script's output. */
async function reasonOf(script: string): Promise<string> {
  const error: unknown = await convert(script).catch((thrown: unknown) => thrown);
  return (error as { detail: string }).detail;
}

test('the converter sees neither the environment, nor the home folder, nor the original of the site', async () => {
  process.env['CEKU_SECRET'] = 'secret';
  const environment = await reasonOf('env | sort | tr "\\n" " "');
  delete process.env['CEKU_SECRET'];
  expect(environment).not.toMatch(/secret/);
  expect(environment).toMatch(/FONTCONFIG_FILE=fonts\.conf /);
  expect(environment).toMatch(/HOME=home /);
  await convert('echo spoilt > "$out/../in/deck.ppt"; ls > deck.ppt').catch(() => {});
  expect(await readFile(join(folder, 'a.ppt'), 'utf8')).toBe('a deck');
});

test.skipIf(process.platform !== 'linux')('it does not see the files of the site', async () => {
  const keys = join(folder, 'data', 'keys');
  await mkdir(keys, { recursive: true });
  await writeFile(join(keys, 'secret.key'), 'the secret');
  expect(await reasonOf(`cat ${keys}/secret.key || echo nothing to see`)).toBe('nothing to see');
});

test('without a converter, converter-missing is thrown', async () => {
  const path = join(folder, 'a.ppt');
  await expect(convertToPdf({ path, fileType: 'ppt', workDir, slides: null, converter: null })).rejects.toMatchObject({
    kind: 'waiting',
  });
  await expect(convertManyToPdf({ decks: [], workDir, converter: null })).rejects.toMatchObject({
    code: 'converter-missing',
  });
});

test('a converter on the path is found', async () => {
  const path = await converter('exit 0');
  expect([path, '/usr/bin/soffice', '/usr/lib/libreoffice/program/soffice']).toContain(findConverter(folder));
});

async function processesIn(place: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
    if ([place, `ceku-ingest-${process.pid}-`].some((name) => command.includes(name) || environment.includes(name)))
      found.push(command.replaceAll('\0', ' '));
  }
  return found;
}
