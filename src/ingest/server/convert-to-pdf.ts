import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RefusedError } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';
import type { FileType } from '../rules.ts';
import { findProgram, runChild } from './run-child.ts';
import { withoutNetwork } from './without-network.ts';

const FONTS_CONF = fileURLToPath(new URL('../fonts.conf', import.meta.url));

/** Where a packaged LibreOffice puts its wrapper; bare `soffice.bin` restarts itself and is never called. */
const CONVERTERS = [
  '/usr/bin/soffice',
  '/usr/lib/libreoffice/program/soffice',
  '/usr/local/bin/soffice',
  '/opt/libreoffice/program/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
];

/** Path of LibreOffice, or null. Looked up each time: it may be installed while we run. */
export function findConverter(searchPath = ''): string | null {
  return CONVERTERS.find((file) => existsSync(file)) ?? findProgram('soffice', searchPath);
}

export type ConvertInput = {
  path: string;
  fileType: Exclude<FileType, 'pdf'>;
  workDir: string;
  /** Gives a long deck more time; null if unknown. */
  slides: number | null;
  converter?: string | null;
  signal?: AbortSignal;
};

/**
 * Makes a PDF of a PPT or PPTX in the work folder and answers its path. LibreOffice runs without network, with a profile and
 * a temp folder of its own, under limits; its exit code is 0 on failure too, so only the file it wrote is believed.
 * Throws RefusedError: converter-missing, convert-timeout, convert-failed.
 */
export async function convertToPdf(input: ConvertInput): Promise<string> {
  const converter = input.converter === undefined ? findConverter() : input.converter;
  if (converter === null) throw new RefusedError('converter-missing');
  const folder = await mkdtemp(join(input.workDir, 'convert-'));
  try {
    const source = join(folder, `deck.${input.fileType}`);
    await copyFile(input.path, source);
    await writeProfile(folder);
    const [command, ...args] = await withoutNetwork([converter, ...sofficeArguments(folder, source)]);
    const end = await runChild({
      command,
      args,
      cwd: folder,
      env: environment(folder),
      limits: {
        wallMs: limits.convertWallMs + (input.slides ?? 0) * limits.convertWallMsPerSlide,
        cpuSeconds: limits.convertCpuSeconds + Math.ceil(((input.slides ?? 0) * limits.convertWallMsPerSlide) / 1000),
        memoryBytes: limits.convertMemoryBytes,
        fileBytes: limits.convertFileBytes,
      },
      signal: input.signal,
    });
    input.signal?.throwIfAborted();
    if (end.ended === 'timeout') throw new RefusedError('convert-timeout');
    const made = join(folder, 'out', 'deck.pdf');
    if (!(await isWholePdf(made))) throw new RefusedError('convert-failed', lastLine(end.output));
    const pdf = join(input.workDir, 'deck.pdf');
    await rename(made, pdf);
    return pdf;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function sofficeArguments(folder: string, source: string): string[] {
  return [
    `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
    '--headless',
    '--norestore',
    '--nologo',
    '--nolockcheck',
    '--convert-to',
    'pdf:impress_pdf_Export',
    '--outdir',
    join(folder, 'out'),
    source,
  ];
}

function environment(folder: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    SAL_USE_VCLPLUGIN: 'svp',
    FONTCONFIG_FILE: FONTS_CONF,
  };
}

/** Settings of a fresh profile: macros off, linked media of strangers blocked, a dead proxy for what still tries the network. */
const SETTINGS: [path: string, name: string, value: string][] = [
  ['org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['org.openoffice.Office.Common/Misc', 'FirstRun', 'false'],
  ['org.openoffice.Office.Java/VirtualMachine', 'Enable', 'false'],
  ['org.openoffice.Inet/Settings', 'ooInetProxyType', '2'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
];

async function writeProfile(folder: string): Promise<void> {
  const user = join(folder, 'profile', 'user');
  await mkdir(user, { recursive: true });
  await mkdir(join(folder, 'tmp'));
  await mkdir(join(folder, 'out'));
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  await writeFile(
    join(user, 'registrymodifications.xcu'),
    '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
      'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n' +
      `${items.join('\n')}\n</oor:items>\n`,
  );
}

async function isWholePdf(path: string): Promise<boolean> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < 64) return false;
  const handle = await open(path, 'r');
  try {
    const tail = Buffer.alloc(Math.min(size, 1024));
    await handle.read(tail, 0, tail.length, size - tail.length);
    return tail.includes('%%EOF');
  } finally {
    await handle.close();
  }
}

function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.includes('javaldx'));
  return (lines.at(-1) ?? '').replace(/\/\S*\//g, '').slice(0, 160);
}
