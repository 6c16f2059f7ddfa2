import { execFile } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyBox, takeOut } from './box-files.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { runChild } from './run-child.ts';
import { openRendererSlot, readResults } from '../render/renderer-slot.ts';
import { findSandbox, openBox, sandboxed, sandboxesFor, works, type Sandbox } from './sandbox.ts';

const run = promisify(execFile);
const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const possible: Sandbox[] = [];
for (const sandbox of sandboxesFor(isRoot)) if (await works(sandbox)) possible.push(sandbox);

let folder = '';
let server: Server;
let connections = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-sandbox-'));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'data', 'keys'), { recursive: true });
  await mkdir(join(folder, 'data', 'open'), { mode: 0o777 });
  await chmod(join(folder, 'data', 'open'), 0o777);
  await writeFile(join(folder, 'data', 'keys', 'secret.key'), 'secret', { mode: 0o600 });
  await writeFile(join(folder, 'data', 'original'), 'paid for', { mode: 0o644 });
  server = createServer(() => void connections++).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** A program that tries what an exploit in a deck would try; it prints the names of what it managed. */
const ATTACK = `
  const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
  const [data, box, site, port, project] = process.argv.slice(1);
  const managed = [];
  const attempt = (name, act) => { try { act(); managed.push(name); } catch {} };
  attempt('work', () => { fs.readFileSync(path.join(box, 'in/job')); fs.writeFileSync(path.join(box, 'out/made'), 'x'); });
  attempt('secret', () => fs.readFileSync(path.join(data, 'keys/secret.key')));
  attempt('original', () => fs.readFileSync(path.join(data, 'original')));
  attempt('data', () => fs.readdirSync(data));
  attempt('environment', () => { if (!fs.readFileSync('/proc/' + site + '/environ', 'latin1').includes('CEKU_MARK')) throw 0; });
  attempt('memory', () => fs.openSync('/proc/' + site + '/mem', 'r'));
  attempt('signal', () => process.kill(Number(site), 0));
  attempt('write to data', () => fs.writeFileSync(path.join(data, 'open/x'), 'x'));
  attempt('write to the program', () => fs.appendFileSync(path.join(project, 'src/main.ts'), ''));
  attempt('change the job', () => fs.writeFileSync(path.join(box, 'in/job'), 'x'));
  attempt('plant a job', () => fs.writeFileSync(path.join(box, 'in/other'), 'x'));
  attempt('become root', () => process.setuid(0) || fs.chownSync(path.join(box, 'out/made'), 12345, 12345));
  const socket = net.connect(Number(port), '127.0.0.1');
  const end = (connected) => { if (connected) managed.push('network'); console.log(JSON.stringify(managed)); process.exit(0); };
  socket.on('connect', () => end(true)).on('error', () => end(false));
`;
const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

async function attack(sandbox: Sandbox): Promise<string[]> {
  process.env['CEKU_MARK'] = 'mark';
  const box = await openBox(sandbox);
  await writeFile(join(box.in, 'job'), 'job', { mode: 0o644 });
  const { port } = server.address() as AddressInfo;
  const victims = [join(folder, 'data'), box.folder, String(process.pid), String(port), PROJECT];
  const [command, ...args] = await sandboxed(box, [process.execPath, '-e', ATTACK, ...victims]);
  const limits = { wallMs: 15_000, cpuSeconds: 10 };
  const end = await runChild({ command, args, cwd: '/', env: { PATH: '/usr/bin:/bin' }, limits });
  await rm(box.folder, { recursive: true });
  return JSON.parse(end.output) as string[];
}

const namesOf = ({ user, hidesFiles, cutsNetwork, isUserNamespace }: Sandbox) =>
  `${hidesFiles ? 'own files' : 'all files'}, ${cutsNetwork ? 'no network' : 'network'}, user ${user ?? 'ours'}${isUserNamespace ? ', user namespace' : ''}`;

test.skipIf(!isLinux).for(possible.map((sandbox) => [namesOf(sandbox), sandbox] as const))(
  'what a child can do that was taken over: %s',
  { timeout: 30_000 },
  async ([, sandbox]) => {
    const managed = await attack(sandbox);
    expect(managed).toContain('work');
    const never = [
      ...(sandbox.hidesFiles
        ? [
            'secret',
            'original',
            'data',
            'environment',
            'memory',
            'signal',
            'write to data',
            'write to the program',
            'change the job',
            'plant a job',
            'become root',
          ]
        : []),
      ...(sandbox.cutsNetwork ? ['network'] : []),
      ...(sandbox.user === null
        ? []
        : [
            'secret',
            'environment',
            'memory',
            'signal',
            'write to the program',
            'change the job',
            'plant a job',
            'become root',
          ]),
    ];
    expect(managed.filter((name) => never.includes(name))).toEqual([]);
  },
);

test.skipIf(!isLinux)('this machine has a sandbox, and the strongest that works is used', async () => {
  expect(await findSandbox()).toEqual(possible[0]);
});

test.skipIf(!isLinux || !isRoot)(
  'an ordinary user has one too where user namespaces are allowed',
  { timeout: 30_000 },
  async () => {
    const module = fileURLToPath(new URL('./sandbox.ts', import.meta.url));
    const program = `
    const { findSandbox, openBox, sandboxed } = await import(process.argv[1]);
    const { rm } = await import('node:fs/promises');
    const { runChild } = await import(process.argv[2]);
    const found = await findSandbox();
    const box = await openBox();
    const [command, ...args] = await sandboxed(box, ['/bin/sh', '-c', 'cat ' + process.argv[3] + ' || ls -d /home /root || touch ../in/x || echo nothing']);
    const end = await runChild({ command, args, cwd: '/', env: { PATH: '/usr/bin:/bin' }, limits: { wallMs: 10000, cpuSeconds: 5 } });
    await rm(box.folder, { recursive: true });
    console.log(JSON.stringify({ found, said: end.output.trim().split('\\n').at(-1) }));`;
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    await chmod(temporary, 0o777);
    const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
    const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', program, module];
    const more = [fileURLToPath(new URL('./run-child.ts', import.meta.url)), join(folder, 'data', 'original')];
    const env = { ...process.env, TMPDIR: temporary };
    const { stdout } = await run('/usr/bin/setpriv', [...user, ...node, ...more], { env });
    const { found, said } = JSON.parse(stdout) as { found: Sandbox; said: string };
    if (found.hidesFiles) expect(said).toBe('nothing');
    expect(found.hidesFiles).toBe(possible.some(({ hidesFiles, isUserNamespace }) => hidesFiles && isUserNamespace));
  },
);

test.skipIf(!isLinux).for(possible.map((sandbox) => [namesOf(sandbox), sandbox] as const))(
  'it dies with the site, killed without a word: %s',
  { timeout: 30_000 },
  async ([, sandbox]) => {
    const mark = `62.${process.pid}`;
    const program = `
      const { openBox, sandboxed } = await import(process.argv[1]);
      const { runChild } = await import(process.argv[2]);
      const box = await openBox(${JSON.stringify(sandbox)});
      console.log(box.folder);
      const [command, ...args] = await sandboxed(box, ['/bin/sleep', '${mark}']);
      await runChild({ command, args, cwd: '/', env: {}, limits: { wallMs: 60000, cpuSeconds: 10 } });`;
    const modules = ['./sandbox.ts', './run-child.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
    const parent = execFile(process.execPath, ['--no-warnings', '--input-type=module', '-e', program, ...modules]);
    let box = '';
    parent.stdout?.on('data', (text: string) => (box += text));
    const sleepers = async () => (await commands()).filter((command) => command.startsWith(`/bin/sleep ${mark}`));
    await expect.poll(sleepers, { timeout: 10_000 }).toHaveLength(1);
    parent.kill('SIGKILL');
    await expect.poll(sleepers, { timeout: 30_000 }).toEqual([]);
    await rm(box.trim(), { recursive: true });
  },
);

async function commands(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
  return (await Promise.all(ids.map(read))).map((command) => command.replaceAll('\0', ' '));
}

test('takeOut moves only files that the child made, and follows no links', async () => {
  const box = await openBox();
  const kept = join(folder, 'kept');
  await mkdir(kept);
  const secret = join(folder, 'data', 'keys', 'secret.key');
  await symlink(secret, join(box.out, 'link'));
  await mkdir(join(box.out, 'folder'));
  // A hard link to a file of this test.
  await link(secret, join(box.out, 'second-name'));
  expect(await takeOut(box, 'link', kept)).toBeNull();
  expect(await takeOut(box, 'second-name', kept)).toBeNull();
  expect(await takeOut(box, 'missing', kept)).toBeNull();
  // A folder whose name a folder of the site has already.
  await mkdir(join(kept, 'same', 'inner'), { recursive: true });
  await mkdir(join(box.out, 'same'));
  expect(await takeOut(box, 'same', kept)).toBeNull();
  expect(await emptyBox(box, kept)).toBe(false);
  expect(await readFile(secret, 'utf8')).toBe('secret');
  await rm(box.folder, { recursive: true });
});

test.skipIf(!isLinux || possible[0]?.hidesFiles !== true)(
  'the renderer is sealed off, stays warm, and leaves no box behind',
  { timeout: 30_000 },
  async () => {
    const workDir = join(folder, 'render');
    await mkdir(workDir, { mode: 0o700 });
    const pdf = join(workDir, 'source.pdf');
    await writeFile(pdf, pdfOf({ pages: [{ text: 'One' }] }));
    const results = join(workDir, 'found.jsonl');
    const common = {
      kind: 'render' as const,
      pdf,
      picture: null,
      outDir: workDir,
      results,
      firstPage: 1,
      previewPages: 1,
      effort: 0,
    };
    const job = { ...common, needCover: true, needBookmarks: false, drawn: {}, mark: null };
    const before = await boxes();
    // Idle children of other tests, which may end meanwhile.
    const others = await childrenOf(String(process.pid));
    const slot = openRendererSlot();
    const ids: string[] = [];
    for (let round = 0; round < 2; round++) {
      await slot.run({ job, until: () => Date.now() + 20_000, signal: undefined });
      const lines = await readResults(results);
      expect(lines.map(({ kind }) => kind)).toEqual(['document', 'text', 'words', 'image', 'cover', 'done']);
      const image = lines.find((line) => line.kind === 'image');
      expect(image?.image).toBe(join(workDir, 'page-1.webp'));
      expect((await readFile(join(workDir, 'page-1.webp'))).length).toBeGreaterThan(50);
      ids.push(await renderChild(others));
    }
    const [id = '', again] = ids;
    expect(again).toBe(id);
    const status = await readFile(`/proc/${id}/status`, 'utf8');
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    if (isRoot) expect(status).toMatch(/^Uid:\s+61987\s+61987\s+61987/m);
    expect(await readlink(`/proc/${id}/ns/net`)).not.toBe(await readlink('/proc/self/ns/net'));
    if (isRoot) expect(await readdir(`/proc/${id}/root${tmpdir()}`)).toHaveLength(1);
    slot.close();
    // Boxes of idle children of other tests may vanish meanwhile.
    await expect.poll(async () => (await boxes()).filter((box) => !before.includes(box))).toEqual([]);
  },
);

test('a job that was aborted before it began has no results, and does not keep a child without work for ever', async () => {
  const before = await boxes();
  const slot = openRendererSlot({ idleMs: 300 });
  await slot.warm();
  const mine = (await boxes()).filter((box) => !before.includes(box));
  expect(mine).toHaveLength(1);
  const job = {
    kind: 'find-figures' as const,
    pdf: join(folder, 'never-read.pdf'),
    results: join(folder, 'aborted.jsonl'),
  };
  await slot.run({ job, until: () => Date.now() + 20_000, signal: AbortSignal.abort() });
  expect(await readResults(job.results)).toEqual([]);
  await expect.poll(async () => (await boxes()).filter((box) => mine.includes(box)), { timeout: 5_000 }).toEqual([]);
});

test('a job whose files cannot be copied leaves no child and no box, and the next job has another child', async () => {
  const before = await boxes();
  const slot = openRendererSlot({ idleMs: 600_000 });
  try {
    const until = () => Date.now() + 20_000;
    const job = { kind: 'find-figures' as const, pdf: join(folder, 'gone.pdf'), results: join(folder, 'gone.jsonl') };
    await expect(slot.run({ job, until, signal: undefined })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect.poll(async () => (await boxes()).filter((box) => !before.includes(box))).toEqual([]);
    await writeFile(job.pdf, pdfOf({ pages: [{ text: 'Plan' }] }));
    expect(await slot.run({ job, until, signal: undefined })).toMatchObject({ timedOut: false });
  } finally {
    slot.close();
  }
});

const boxes = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`ceku-ingest-${process.pid}-box-`));

/** The id of the render child that this process has: the last of a line of children. */
async function renderChild(others: readonly string[]): Promise<string> {
  for (let id = String(process.pid); ;) {
    const child = (await childrenOf(id)).find((each) => !others.includes(each));
    if (child === undefined) return id;
    id = child;
  }
}

async function childrenOf(id: string): Promise<string[]> {
  const tasks = await readdir(`/proc/${id}/task`);
  const lists = tasks.map((task) => readFile(`/proc/${id}/task/${task}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean);
}
