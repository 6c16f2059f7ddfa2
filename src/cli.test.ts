import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../tests/test-database.ts';

const CLI = fileURLToPath(new URL('../bin/ceku', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-cli-'));
  // More lines than a pipe holds.
  for (let at = 0; at < 1_000; at++) await writeFile(join(folder, `${'long '.repeat(30)}${at}.pdf`), 'no deck');
});
afterAll(() => rm(folder, { recursive: true }));

/** A shell's line: `ceku` is the command, `$in` the folder. */
async function shell(line: string): Promise<{ out: string; err: string }> {
  const script = `ceku() { "$node" "$cli" "$@"; echo "code $?" >&2; }; ${line}`;
  const env = { ...process.env, node: process.execPath, cli: CLI, in: folder };
  const { stdout, stderr } = await run('sh', ['-c', script], { env });
  return { out: stdout, err: stderr };
}

test('a reader that has seen enough ends no work halfway', async () => {
  const { out, err } = await shell('ceku ingest "$in" --dry-run | head -1');
  expect(out).toContain('refuse');
  expect(err).toContain('0 would be accepted, 1000 refused. Nothing was changed.\ncode 1\n');
});

test('ceku help document list says how that command is used', async () => {
  const { out, err } = await shell('ceku help document list');
  expect(out).toMatch(/^Usage: ceku document list /);
  expect(err).toMatch(/code 0\n$/);
});

test.each(['takedown list', 'privacy list', 'user list', 'order check', 'ledger verify', 'document verify'])(
  'ceku %s makes no database where there is none, in which all would be well',
  async (command) => {
    const { err } = await shell(`DATABASE_URL= DATA_DIR="$in/none" ceku ${command}`);
    expect(err).toMatch(
      /There is no database in \S+none\. Run the command with the environment of the site.*\ncode 69\n$/s,
    );
    expect(existsSync(join(folder, 'none'))).toBe(false);
  },
);

test.each([
  ['file', 'is a file, where a folder must be'],
  ['file/data', 'lies below a file, where no folder can be'],
])('a DATA_DIR like %s is a mistake of the configuration', async (path, words) => {
  const given = await mkdtemp(join(tmpdir(), 'ceku-cli-'));
  await writeFile(join(given, 'file'), '');
  const { out, err } = await shell(
    `DATABASE_URL= DATA_DIR="${given}/${path}" ceku user create --username lin --password long-enough-7`,
  );
  expect(out).toBe('');
  expect(err).toBe(`The configuration is not usable:\n  - DATA_DIR: ${given}/${path} ${words}\ncode 78\n`);
  await rm(given, { recursive: true });
});

test.skipIf(!existsSync('/dev/full'))('output that a full disk does not take is said', async () => {
  const { err } = await shell('ceku ingest "$in" --dry-run > /dev/full');
  expect(err).toContain('1000 refused');
  expect(err).toContain('The output cannot be written: ENOSPC. The work itself was done.\ncode 73\n');
});

test.skipIf(!existsSync('/proc/self/task'))('a command does not outlive the program that started it', async () => {
  // The pipe is never read, so the command cannot end by itself.
  const pipe = join(folder, 'pipe');
  await run('mkfifo', [pipe]);
  const output = await open(pipe, 'r+');
  const ceku = spawn(process.execPath, [CLI, 'ingest', folder, '--dry-run'], {
    stdio: ['ignore', output.fd, 'ignore'],
  });
  const children = () => readFile(`/proc/${ceku.pid}/task/${ceku.pid}/children`, 'utf8').catch(() => '');
  await expect.poll(children, { timeout: 30_000 }).not.toBe('');
  const command = Number(await children());
  ceku.kill('SIGKILL');
  await expect.poll(() => existsSync(`/proc/${command}`), { timeout: 30_000 }).toBe(false);
  await output.close();
});

/** Returns a script that makes a command fail as soon as it handles uncaught errors, and a second time while it ends. */
const failing = (fault: string) => `
  process.on('newListener', (event) => {
    if (event !== 'unhandledRejection') return;
    setImmediate(() => { ${fault} });
    setImmediate(() => { throw new Error('the end of the command'); });
  });`;

test.each<[what: string, fault: string, words: string]>([
  [
    'the loss of the database',
    `throw Object.assign(new Error('terminating connection'), { code: '57P01' });`,
    'The database went away. Start the command again: it goes on where it stopped.\ncode 69\n',
  ],
  ['an error', `throw new TypeError('it is\\u001b[31m broken');`, 'TypeError: it is\ufffd[31m broken\ncode 70\n'],
  ['a rejection', `Promise.reject(new Error('it is broken'));`, 'Error: it is broken\ncode 70\n'],
])('%s that nothing caught ends a command in order, and is said once', async (_what, fault, words) => {
  const database = await createTestDatabase();
  const program = join(folder, `${Math.random()}.mjs`);
  await writeFile(program, failing(fault));
  try {
    const { err } = await shell(
      `DATABASE_URL="${database.url}" DATA_DIR="${folder}/data" NODE_OPTIONS="--import=${program}" ceku user list`,
    );
    expect(err).toBe(words);
  } finally {
    await database.drop();
  }
});
