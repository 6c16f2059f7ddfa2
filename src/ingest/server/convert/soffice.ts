import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ingestLimits as limits } from '../../rules.ts';
import { findProgram, runChild } from '../sandbox/run-child.ts';
import type { ChildEnd } from '../sandbox/run-child.ts';
import { giveToChild, sandboxed, type Box } from '../sandbox/sandbox.ts';
import { officeSockets } from '../sandbox/work-folders.ts';

export const FONTS_CONF = fileURLToPath(new URL('../../fonts.conf', import.meta.url));

/** Paths of LibreOffice's wrapper script; `soffice.bin` restarts itself and must not be called. */
const CONVERTERS = [
  '/usr/bin/soffice',
  '/usr/lib/libreoffice/program/soffice',
  '/usr/local/bin/soffice',
  '/opt/libreoffice/program/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
];

/**
 * Returns the path of LibreOffice, or null. It is looked up at each call: LibreOffice may be installed while the site
 * runs.
 */
export function findConverter(searchPath = ''): string | null {
  return CONVERTERS.find((file) => existsSync(file)) ?? findProgram('soffice', searchPath);
}

type SofficeRun = {
  converter: string;
  /** A new box. PDFs, profile and temporary files are written to its `out`. The caller removes the box. */
  box: Box;
  /** Paths of the copies of the decks in the box's `in`. */
  sources: readonly string[];
  /** Time limit in milliseconds, waits for a processor not counted; up to `convertBusyFactor` times as much with them. */
  wallMs: number;
  cpuSeconds: number;
  signal?: AbortSignal;
};

/**
 * Runs LibreOffice once on several decks: in a sandbox, with a fresh profile and limits; its process group is killed at
 * the end. The exit code is 0 on failure too, so check which PDFs were written.
 */
export async function runSoffice(run: SofficeRun): Promise<ChildEnd> {
  const { box } = run;
  const home = await makeHome(box, run.converter);
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
      busyWallMs: run.wallMs * limits.convertBusyFactor,
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
    // glibc keeps freed blocks of up to 256 MB. Returned to the kernel and taken again they cost a batch of two dozen decks 70,000 page
    // faults, a tenth of its processor time. The resident memory grows by 3 %.
    GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=268435456:glibc.malloc.trim_threshold=268435456',
  };
}

/**
 * Settings of the fresh profile: macros are off, linked media are blocked, and the proxy refuses every connection. LibreOffice runs its
 * graphics tests, on rectangles of 4,096 pixels, whenever it is newer than the last version that used the profile: no version is newer than
 * 99. With the settings of glibc above, these tests are a third of the processor time of converting a deck of one page.
 */
const SETTINGS: [path: string, name: string, value: string][] = [
  ['org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['org.openoffice.Office.Common/Misc', 'FirstRun', 'false'],
  ['org.openoffice.Setup/Product', 'ooSetupLastVersion', '99.0'],
  ['org.openoffice.Office.Java/VirtualMachine', 'Enable', 'false'],
  ['org.openoffice.Inet/Settings', 'ooInetProxyType', '2'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
];

/** Creates LibreOffice's home in the box: a profile and a temporary folder. */
async function makeHome(box: Box, converter: string): Promise<string> {
  const home = join(box.out, 'home');
  const user = join(home, 'profile', 'user');
  const extensions = join(user, 'extensions');
  await mkdir(extensions, { recursive: true });
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
  // LibreOffice updates a profile whose `buildid` is missing or names another build, and then starts once more.
  await writeFile(join(extensions, 'buildid'), `${await buildOf(converter)}\n`);
  const made = [home, join(home, 'tmp'), join(home, 'profile'), user, join(user, 'registrymodifications.xcu')];
  for (const path of [...made, extensions, join(extensions, 'buildid')]) await giveToChild(box, path);
  return home;
}

/** Returns the build id of a LibreOffice from its `versionrc`; "" where there is none in its folder or, on macOS, in the bundle's. */
export async function buildOf(converter: string): Promise<string> {
  const program = dirname(await realpath(converter).catch(() => converter));
  for (const folder of [program, join(program, '../Resources')]) {
    const facts = await readFile(join(folder, 'versionrc'), 'utf8').catch(() => '');
    const build = /^buildid=(.*)$/m.exec(facts)?.[1]?.trim();
    if (build) return build;
  }
  return '';
}
