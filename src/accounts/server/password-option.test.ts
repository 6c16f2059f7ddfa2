import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { OperatorError } from '../../platform/command-line.ts';
import { passwordOf, withPassword } from './password-option.ts';

/** Returns the password that the command reads from piped input. `isOpen`: the program at the other end keeps running. */
async function read(text: string, isOpen = false): Promise<string> {
  const stdin = new PassThrough();
  if (isOpen) stdin.write(text);
  else stdin.end(text);
  const spy = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(stdin, { isTTY: false }) as never);
  try {
    return await passwordOf({ passwordStdin: true });
  } finally {
    spy.mockRestore();
  }
}

test.each([
  ['tulip7harbor\n', 'tulip7harbor'],
  ['tulip7harbor', 'tulip7harbor'],
  ['tulip7harbor\r\n', 'tulip7harbor'],
  ['  spaces stay \nand this is not read\n', '  spaces stay '],
  ['天干物燥小心火烛\n', '天干物燥小心火烛'],
])('the first line of stdin is the password: %j', async (text, password) => {
  expect(await read(text)).toBe(password);
});

test('a writer that goes on running does not hold the command up', async () => {
  expect(await read('tulip7harbor\n', true)).toBe('tulip7harbor');
});

test.each([
  ['', 'There is no password on stdin.'],
  ['\n', 'A password is 8 to 64 characters.'],
  ['short\n', 'A password is 8 to 64 characters.'],
  [`${'x'.repeat(65)}\n`, 'A password is 8 to 64 characters.'],
  ['password1\n', 'This password is among the most common ones. Choose another one.'],
  ['12345678\n', 'This password is among the most common ones. Choose another one.'],
  ['11111111\n', 'This password is among the most common ones. Choose another one.'],
])('%j is refused in words', async (text, words) => {
  const refused = await read(text).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OperatorError);
  expect(refused).toMatchObject({ message: words, exitCode: 2 });
});

test('a common password is refused on the command line as well', () => {
  const command = withPassword(new Command())
    .exitOverride()
    .configureOutput({ writeErr() {} });
  const parse = (password: string) => command.parse(['--password', password], { from: 'user' });
  expect(() => parse('abc12345')).toThrow('among the most common ones');
  expect(parse('tulip7harbor').opts()).toEqual({ password: 'tulip7harbor' });
});

test('it is given once, by one of the two ways', async () => {
  expect(await passwordOf({ password: 'tulip7harbor' })).toBe('tulip7harbor');
  for (const options of [{}, { password: 'tulip7harbor', passwordStdin: true }])
    await expect(passwordOf(options)).rejects.toThrow('--password-stdin');
});
