import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findProgram, runChild } from './run-child.ts';
import { openBox, sandboxed } from './sandbox.ts';

const shell = { command: '/bin/sh', cwd: tmpdir(), env: { PATH: '/usr/bin:/bin' } };
const limits = { wallMs: 10_000, cpuSeconds: 10 };

test('runChild returns how the child ended and what it printed', async () => {
  const end = await runChild({ ...shell, args: ['-c', 'echo out; echo err >&2; exit 3'], limits });
  expect(end).toMatchObject({ code: 3, ended: 'exit' });
  expect(end.output).toMatch(/out/);
  expect(end.output).toMatch(/err/);
});

test('what a child printed keeps its characters, wherever the pipe cuts them', async () => {
  const print = `process.stdout.write('a' + '策'.repeat(20_000), () => process.stderr.write('完'))`;
  const { output } = await runChild({ ...shell, command: process.execPath, args: ['-e', print], limits });
  expect(output).toHaveLength(20_002);
  expect(output).not.toContain('\ufffd');
});

test('a time-out ends the child and its children', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-child-'));
  const script = `sleep 60 & echo $! > ${folder}/id; wait`;
  const start = performance.now();
  const end = await runChild({ ...shell, args: ['-c', script], limits: { ...limits, wallMs: 400 } });
  expect(end.ended).toBe('timeout');
  expect(performance.now() - start).toBeLessThan(5_000);
  const grandchild = Number(await readFile(join(folder, 'id'), 'utf8'));
  await expect.poll(() => isAlive(grandchild)).toBe(false);
  await rm(folder, { recursive: true });
});

test.skipIf(process.platform !== 'linux' || !findProgram('taskset'))(
  'the time in which a child waits for a processor does not count, up to the limit of a busy machine',
  async () => {
    // All of them on one processor, of which the child needs two seconds: a kernel may give half of it to its session.
    const taskset = findProgram('taskset') ?? '';
    const rivals = Array.from({ length: 6 }, () =>
      spawn(taskset, ['-c', '0', process.execPath, '-e', 'process.stdout.write("runs"); for (;;);'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    const work =
      'let used = 0; while (used < 2e6) { const { user, system } = process.cpuUsage(); used = user + system; }';
    const busy = { ...shell, command: taskset, args: ['-c', '0', process.execPath, '-e', work] };
    try {
      // A rival that is still being started takes no time from the child.
      await Promise.all(rivals.map((rival) => once(rival.stdout, 'data')));
      const start = performance.now();
      const end = await runChild({ ...busy, limits: { wallMs: 3_000, busyWallMs: 240_000, cpuSeconds: 60 } });
      expect([end.ended, end.code]).toEqual(['exit', 0]);
      expect(performance.now() - start).toBeGreaterThan(3_000);
      const bounded = await runChild({ ...busy, limits: { wallMs: 300, busyWallMs: 600, cpuSeconds: 60 } });
      expect(bounded.ended).toBe('timeout');
    } finally {
      for (const rival of rivals) rival.kill('SIGKILL');
    }
    const idle = { ...shell, args: ['-c', 'sleep 1000'] };
    const end = await runChild({ ...idle, limits: { wallMs: 400, busyWallMs: 240_000, cpuSeconds: 60 } });
    expect(end.ended).toBe('timeout');
  },
);

test('processes that a child leaves running are killed with it', async () => {
  const end = await runChild({ ...shell, args: ['-c', 'sleep 60 & echo $!'], limits });
  expect(end.ended).toBe('exit');
  await expect.poll(() => isAlive(Number(end.output))).toBe(false);
});

test('a process in a session of its own does not delay runChild', async () => {
  const start = performance.now();
  const end = await runChild({ ...shell, args: ['-c', 'setsid sleep 30 & echo $!; sleep 0.2'], limits });
  expect(performance.now() - start).toBeLessThan(10_000);
  process.kill(Number(end.output), 'SIGKILL');
});

test.skipIf(process.platform !== 'linux')(
  'too many processes, or too much memory of all together, end it',
  async () => {
    const many = 'for i in 1 2 3 4 5 6 7 8; do setsid sleep 30 & echo $!; done; wait';
    const end = await runChild({ ...shell, args: ['-c', many], limits: { ...limits, processes: 6 } });
    expect(end.ended).toBe('overuse');
    for (const id of end.output.trim().split('\n')) process.kill(Number(id), 'SIGKILL');
    const large = {
      ...shell,
      command: process.execPath,
      args: ['-e', 'const a = Buffer.alloc(3e8, 1); setTimeout(() => a, 9e3)'],
    };
    expect((await runChild({ ...large, limits: { ...limits, residentBytes: 2e8 } })).ended).toBe('overuse');
    expect(
      (await runChild({ ...shell, args: ['-c', 'sleep 1'], limits: { ...limits, residentBytes: 2e8 } })).ended,
    ).toBe('exit');
  },
);

test.skipIf(process.platform !== 'linux')(
  'the kernel kills a child first when the machine runs out of memory',
  async () => {
    const end = await runChild({ ...shell, args: ['-c', 'sleep 0.2; cat /proc/self/oom_score_adj'], limits });
    expect(Number(end.output)).toBeGreaterThanOrEqual(500);
  },
);

test('an abort kills the child; an abort before the start starts nothing', async () => {
  const soon = AbortSignal.timeout(200);
  expect((await runChild({ ...shell, args: ['-c', 'sleep 60'], limits, signal: soon })).ended).toBe('aborted');
  expect((await runChild({ ...shell, args: ['-c', 'sleep 60'], limits, signal: AbortSignal.abort() })).ended).toBe(
    'aborted',
  );
});

test('a missing program rejects', async () => {
  await expect(runChild({ ...shell, cwd: '/nowhere', args: [], limits })).rejects.toThrow(/ENOENT/);
});

test.skipIf(findProgram('setpriv') === null)('when we are killed, so is the child', async () => {
  const module = fileURLToPath(new URL('./run-child.ts', import.meta.url));
  const program = `
    const { runChild } = await import(process.argv[1]);
    await runChild({ command: '/bin/sh', args: ['-c', 'exec sleep 61.${process.pid}'], cwd: '/', env: {}, limits: { wallMs: 60000, cpuSeconds: 10 } });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program, module]);
  const sleeping = async () =>
    (await commands()).filter((command) => command.includes(`sleep 61.${process.pid}`) && !command.includes('node'));
  await expect.poll(sleeping, { timeout: 10_000 }).not.toEqual([]);
  parent.kill('SIGKILL');
  await expect.poll(sleeping, { timeout: 30_000 }).toEqual([]);
});

async function commands(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (id: string) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
  return (await Promise.all(ids.map(read))).map((command) => command.replaceAll('\0', ' '));
}

test.skipIf(!existsSync('/proc/self/autogroup'))(
  'the session of a child is as nice as the child, because the kernel shares time between sessions first',
  async () => {
    const waits = (niceness: number) => `until grep 'nice ${niceness}$' /proc/self/autogroup; do sleep 0.05; done`;
    const ends = await Promise.all([
      runChild({ ...shell, args: ['-c', waits(3)], limits }),
      runChild({ ...shell, args: ['-c', waits(2)], limits, niceness: 2 }),
    ]);
    expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
  },
);

test.skipIf(findProgram('nice') === null)(
  'a child and its descendants run at a lower priority than the site',
  async () => {
    const box = await openBox();
    const sealed = await sandboxed(box, ['/usr/bin/nice']);
    const end = await runChild({ ...shell, args: ['-c', `nice; sh -c nice; ${sealed.join(' ')}`], limits });
    await rm(box.folder, { recursive: true });
    const mine = getPriority();
    expect(end.output.trim().split(/\s+/).map(Number)).toEqual(Array(3).fill(Math.min(mine + 3, 19)));
  },
);

test.skipIf(findProgram('prlimit') === null)('limits hold: file size, processor time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-child-'));
  const large = { ...shell, cwd: folder, args: ['-c', 'head -c 2000000 /dev/zero > large'] };
  expect((await runChild({ ...large, limits: { ...limits, fileBytes: 1_000_000 } })).code).not.toBe(0);
  const busy = await runChild({
    ...shell,
    args: ['-c', 'while :; do :; done'],
    limits: { wallMs: 60_000, cpuSeconds: 1 },
  });
  expect(busy).toMatchObject({ ended: 'exit', code: null, signal: 'SIGXCPU' });
  // What does not heed SIGXCPU is killed some seconds later.
  const told = await runChild({ ...shell, args: ['-c', 'ulimit -St; ulimit -Ht'], limits });
  expect(told.output).toBe('10\n15\n');
  await rm(folder, { recursive: true });
});

/** A zombie no longer runs. */
async function isAlive(id: number): Promise<boolean> {
  const status = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  if (process.platform === 'linux') return status !== '' && !/\) [ZX] /.test(status);
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
