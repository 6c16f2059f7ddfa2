import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { OperatorError } from '../../platform/command-line.ts';
import { passwordOf } from './password-option.ts';

/** What the command reads when that is piped into it; `isOpen`: by a program that goes on running. */
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
])('%j is refused in words', async (text, words) => {
  const refused = await read(text).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OperatorError);
  expect(refused).toMatchObject({ message: words, exitCode: 2 });
});

test('it is given once, by one of the two ways', async () => {
  expect(await passwordOf({ password: 'tulip7harbor' })).toBe('tulip7harbor');
  for (const options of [{}, { password: 'tulip7harbor', passwordStdin: true }])
    await expect(passwordOf(options)).rejects.toThrow('--password-stdin');
});
