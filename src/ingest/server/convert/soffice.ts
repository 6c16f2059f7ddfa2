import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ingestLimits as limits } from '../../rules.ts';
import { findProgram, runChild } from '../sandbox/run-child.ts';
import type { ChildEnd } from '../sandbox/run-child.ts';
import { giveToChild, sandboxed, type Box } from '../sandbox/sandbox.ts';
import { officeSockets } from '../sandbox/work-folders.ts';

export const FONTS_CONF = fileURLToPath(new URL('../../fonts.conf', import.meta.url));

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
  /** A new box: the PDFs go to its `out`, beside profile and temporary files. Whoever opened it removes it. */
  box: Box;
  /** Copies in the box's `in`. */
  sources: readonly string[];
  wallMs: number;
  cpuSeconds: number;
  signal?: AbortSignal;
};

/**
 * Runs LibreOffice once over some decks: in a sandbox, with a fresh profile, limits, its whole process group killed in the end. How
 * it ended says little: its exit code is 0 on failure too, so look for what it wrote.
 */
export async function runSoffice(run: SofficeRun): Promise<ChildEnd> {
  const { box } = run;
  const home = await makeHome(box);
  const profile = pathToFileURL(join(home, 'profile')).href;
  const [command, ...args] = await sandboxed(box, [
    run.converter,
    `-env:UserInstallation=${profile}`,
    '--headless',
    '--norestore',
    '--nologo',
    '--nolockcheck',
    '--convert-to',
    'pdf:impress_pdf_Export',
    '--outdir',
    box.out,
    ...run.sources,
  ]);
  const end = await runChild({
    command,
    args,
    cwd: box.folder,
    env: environment(home),
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
  for (const socket of officeSockets(profile)) await rm(socket, { force: true });
  return end;
}

function environment(home: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
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

/** Makes LibreOffice's home in the box: profile and temporary folder. */
async function makeHome(box: Box): Promise<string> {
  const home = join(box.out, 'home');
  const user = join(home, 'profile', 'user');
  await mkdir(user, { recursive: true });
  await mkdir(join(home, 'tmp'));
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
  const made = [home, join(home, 'tmp'), join(home, 'profile'), user, join(user, 'registrymodifications.xcu')];
  for (const path of made) await giveToChild(box, path);
  return home;
}
