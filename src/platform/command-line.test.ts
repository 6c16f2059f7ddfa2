import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { typeCommand } from '../../tests/type-command.ts';
import { commandGroup, EXIT, OperatorError, runCommandLine } from './command-line.ts';

/** Runs a command that fails; returns what it printed on stderr, and its exit code. */
async function fail(...words: string[]): Promise<{ code: number; said: string }> {
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const program = new Command('ceku').configureOutput({ writeErr: (text) => process.stderr.write(text) });
  program.command('break').action(() => {
    throw new Error('a fault of ours: \u001b[2J');
  });
  const code = await runCommandLine(program, words);
  return { code, said: err.mock.calls.join('') };
}

it('says what went wrong in a line, and with --debug, wherever it stands, where it came from', async () => {
  const brief = await fail('break');
  expect(brief).toEqual({
    code: EXIT.partial,
    said: 'The command failed: a fault of ours: \ufffd[2J (--debug shows more)\n',
  });
  for (const words of [
    ['break', '--debug'],
    ['--debug', 'break'],
  ]) {
    vi.restoreAllMocks();
    const full = await fail(...words);
    expect(full.code).toBe(EXIT.partial);
    expect(full.said).toContain('command-line.test.ts:');
  }
});

it('prints no control characters of the text in an error, but its lines', async () => {
  const said = await typeCommand(
    (program) => {
      program.command('read').action(() => {
        throw new OperatorError('the manifest has errors:\n  line 2: \u001b[2Jx\u0007', EXIT.data);
      });
    },
    ['read'],
  );
  expect(said).toMatchObject({ code: EXIT.data, err: 'the manifest has errors:\n  line 2: \ufffd[2Jx\ufffd\n' });
});

it('prints no control characters of an error with --debug either', async () => {
  const { said } = await fail('break', '--debug');
  expect(said).toContain('a fault of ours: \ufffd[2J');
  expect(said.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it.each([
  ['help document list', EXIT.ok, /^Usage: ceku document list /],
  ['help order invoice answer', EXIT.ok, /^Usage: ceku order invoice answer /],
  ['help document', EXIT.ok, /^Usage: ceku document /],
  ['help', EXIT.ok, /^Usage: ceku \[options\]/],
  ['help --help', EXIT.ok, /^Usage: ceku \[options\]/],
  ['help nothing', EXIT.usage, /^error: unknown command 'nothing'\n/],
  ['help document nothing', EXIT.usage, /^error: unknown command 'nothing'\n/],
  ['document nothing', EXIT.usage, /^error: unknown command 'nothing'\n/],
  ['document', EXIT.usage, /^Usage: ceku document /],
  ['', EXIT.usage, /^Usage: ceku /],
])('ceku %s says how it is used, and ends with %i', async (words, code, shown) => {
  const said = await typeCommand((program) => {
    commandGroup(program, 'document', 'manage documents').command('list');
    commandGroup(program, 'order', 'manage orders').command('invoice').command('answer');
  }, words.split(' ').filter(Boolean));
  expect(said.code).toBe(code);
  expect(code === EXIT.ok ? said.out : said.err).toMatch(shown);
});
