import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ingestLimits as limits } from '../rules.ts';
import { findProgram, runChild } from './run-child.ts';
import type { ChildEnd } from './run-child.ts';
import { withoutNetwork } from './without-network.ts';

export const FONTS_CONF = fileURLToPath(new URL('../fonts.conf', import.meta.url));

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

export type SofficeRun = {
  converter: string;
  /** An empty folder: profile, temporary files and the PDFs (`out/`) go there. Whoever made it removes it. */
  folder: string;
  sources: readonly string[];
  wallMs: number;
  cpuSeconds: number;
  signal?: AbortSignal;
};

/**
 * Runs LibreOffice once over some decks: no network, a fresh profile, a temp folder of its own, limits, its whole
 * process group killed in the end. How it ended says little: its exit code is 0 on failure too, so look for what it
 * wrote.
 */
export async function runSoffice(run: SofficeRun): Promise<ChildEnd> {
  await writeProfile(run.folder);
  const profile = pathToFileURL(join(run.folder, 'profile')).href;
  const [command, ...args] = await withoutNetwork([
    run.converter,
    `-env:UserInstallation=${profile}`,
    '--headless',
    '--norestore',
    '--nologo',
    '--nolockcheck',
    '--convert-to',
    'pdf:impress_pdf_Export',
    '--outdir',
    join(run.folder, 'out'),
    ...run.sources,
  ]);
  const end = await runChild({
    command,
    args,
    cwd: run.folder,
    env: environment(run.folder),
    limits: {
      wallMs: run.wallMs,
      cpuSeconds: run.cpuSeconds,
      memoryBytes: limits.convertMemoryBytes,
      fileBytes: limits.convertFileBytes,
      residentBytes: limits.convertResidentBytes,
      processes: limits.convertProcesses,
    },
    ...(run.signal && { signal: run.signal }),
  });
  for (const user of new Set([0, process.getuid?.() ?? 0])) await rm(officeSocket(profile, user), { force: true });
  return end;
}

/**
 * The socket by which a second LibreOffice would find the first: always in `/tmp`, and left there by one that is killed
 * or crashes. Its name is made of the user and of the MD5 of the profile's URL in UTF-16, its bytes in hex without
 * leading zeros (desktop, officeipcthread).
 */
export function officeSocket(profileUrl: string, user: number): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return `/tmp/OSL_PIPE_${user}_SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
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

/** Of a fresh profile: macros off, linked media blocked, a dead proxy for what still tries the network. */
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
