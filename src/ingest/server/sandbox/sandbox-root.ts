import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Folders with programs, libraries and fonts. Not all of `/usr`: a site and its data may be installed below it. */
const SYSTEM_FOLDERS = `
  /bin /sbin /lib /lib32 /lib64 /libx32
  /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 /usr/libexec /usr/share
  /usr/local/bin /usr/local/lib /usr/local/lib64 /usr/local/share /nix/store
  /etc/fonts /etc/alternatives /etc/libreoffice /etc/ld.so.conf.d
  /var/cache/fontconfig /var/lib/libreoffice`
  .trim()
  .split(/\s+/);

const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/localtime'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/**
 * The parts of this project that the render child loads. Not the whole project folder, which may contain `.env` and the
 * data.
 */
const OWN = ['src', 'node_modules', 'package.json'].map((name) => join(PROJECT, name));

type Mount = { path: string; options: string };

/**
 * Returns the root folder of a sandboxed child: the list of everything it may read. `setup` is a shell script that
 * mounts the list at `<box>/root` in a mount namespace of its own and runs the rest of its command line there; `fstab`
 * is the list. Inside the box the child can write only to `out`.
 */
export function sandboxRoot(box: string, program: string): { setup: string; fstab: string } {
  const root = join(box, 'root');
  const paths = [...SYSTEM_FOLDERS, ...OWN, ...SYSTEM_FILES, ...homesOf([process.execPath, program])];
  const links = paths.filter((path) => isLink(path) && !OWN.includes(path));
  const real = paths.filter((path) => existsSync(path) && !links.includes(path));
  const isFile = (path: string) => !statSync(path).isDirectory();
  const devices = DEVICES.filter(existsSync);
  const inside = (path: string) => quote(`.${path}`);
  const folders = [...real.filter((path) => !isFile(path)), box, join(box, 'out'), '/proc', '/tmp', '/dev/shm'];
  const files = [...real.filter(isFile), ...devices];
  const setup = [
    'set -e',
    `mount -t tmpfs -o mode=755,size=16m,nosuid,nodev sandbox ${quote(root)}`,
    `cd ${quote(root)}`,
    `mkdir -p ${[...folders, ...[...files, ...links].map((file) => dirname(file))].map(inside).join(' ')}`,
    'chmod 1777 tmp dev/shm',
    ...files.map((file) => `: > ${inside(file)}`),
    ...linksInto(links),
    `mount -a -T ${quote(join(box, 'fstab'))}`,
    'chroot=$(PATH=/usr/sbin:/sbin:/usr/bin:/bin command -v chroot)',
    `exec "$chroot" . /bin/sh -c 'cd "$0" && exec "$@"' ${quote(join(box, 'out'))} "$@"`,
  ];
  // In a user namespace a mount must keep nosuid, nodev and noexec of the original mount, and the mounts below it.
  const mounts: Mount[] = [
    ...real.map((path) => ({ path, options: 'rbind,ro,nosuid,nodev' })),
    ...devices.map((path) => ({ path, options: 'bind' })),
    { path: box, options: 'bind,ro,nosuid,nodev,noexec' },
    { path: join(box, 'out'), options: 'bind,nosuid,nodev,noexec' },
  ];
  const fstab = [
    `proc ${escape(join(root, 'proc'))} proc nosuid,nodev,noexec 0 0`,
    ...mounts.map(({ path, options }) => `${escape(path)} ${escape(root + path)} none ${options} 0 0`),
  ];
  return { setup: `${setup.join('\n')}\n`, fstab: `${fstab.join('\n')}\n` };
}

/** Returns the commands that make the same links in the current folder: one for all of a folder which are named like their targets, as `/bin` to `usr/bin`. */
function linksInto(links: readonly string[]): string[] {
  const byFolder = Map.groupBy(links, (link) =>
    basename(readlinkSync(link)) === basename(link) ? dirname(link) : link,
  );
  return [...byFolder].map(([place, ofPlace]) => {
    const targets = ofPlace.map((link) => quote(readlinkSync(link)));
    return `ln -s ${targets.join(' ')} ${quote(`.${place}`)}`;
  });
}

/** Returns what a program outside the system folders needs: its file, or the folder of a packaged LibreOffice. */
function homesOf(programs: readonly string[]): string[] {
  const known = [...SYSTEM_FOLDERS, ...OWN];
  return programs.flatMap((program) => {
    if (!program.startsWith('/') || !existsSync(program)) return [];
    const real = realpathSync(program);
    const homes = dirname(real).endsWith('/program') ? [dirname(dirname(real))] : [real];
    return [...new Set([...homes, program])].filter((path) => !known.some((folder) => path.startsWith(`${folder}/`)));
  });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Escapes a path for fstab(5). */
const escape = (path: string) =>
  path.replace(/[ \t\n\r\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
