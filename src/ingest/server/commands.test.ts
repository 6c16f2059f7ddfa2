import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { EXIT, runCommandLine } from '../../platform/command-line.ts';
import { ingestCommands } from './commands.ts';

let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'ceku-test-'));
  await writeFile(join(folder, 'deck.pdf'), 'not a deck');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await app.close();
});

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true));
  try {
    const program = new Command('ceku');
    ingestCommands(program, (work) => work(app.ctx));
    return { code: await runCommandLine(program, argv), ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

test('--json reaches the sweep, although ingest itself has one', async () => {
  const { code, out } = await run('ingest', 'sweep', '--json');
  expect(code).toBe(EXIT.ok);
  expect(JSON.parse(out)).toMatchObject({ removed: 0 });
});

test('a place that cannot be written is refused before a file is looked at', async () => {
  const file = join(folder, 'deck.pdf');
  const result = await run('ingest', file, '--result', join(folder, 'missing', 'out.csv'));
  expect(result).toMatchObject({ code: EXIT.cannotCreate, out: '' });
  expect(result.err).toContain('there is no such folder');
  expect(await run('ingest', file, '--result', folder)).toMatchObject({ code: EXIT.cannotCreate, out: '' });
  const quarantine = await run('ingest', file, '--quarantine', join(file, 'inside'));
  expect(quarantine).toMatchObject({ code: EXIT.cannotCreate, out: '' });
  expect(quarantine.err).toContain('a file is in the way');
});

test('a file name that would drive the terminal is shown without its controls', async () => {
  const path = join(folder, 'a\u001b]0;owned\u0007\u202e.pdf');
  await writeFile(path, 'not a deck');
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  await run('ingest', path, '--dry-run').finally(() => log.mockRestore());
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('\ufffd]0;owned');
  expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
