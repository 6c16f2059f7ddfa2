import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('run-child.mjs', import.meta.url));
const CHILD = `for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => { console.log('got ' + signal); process.exit(0); });
console.log('up'); setInterval(() => {}, 1000);`;

/** Returns the signals that the program in the foreground gets when its starter gets SIGTERM. */
async function stop(options: object): Promise<string> {
  const words = `import { runInForeground } from ${JSON.stringify(MODULE)};
    const { code } = await runInForeground(process.execPath, ['-e', ${JSON.stringify(CHILD)}],
      { cwd: '.', ...${JSON.stringify(options)} });
    console.log('ended with ' + code);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  starter.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (text.includes('up')) starter.kill('SIGTERM');
  });
  await once(starter, 'close');
  return said;
}

test('a program is stopped by the signal that stops it in order, whatever its starter got', async () => {
  expect(await stop({})).toBe('up\ngot SIGTERM\nended with 0\n');
  // A watching Node leaves the site's database behind when it is stopped by SIGTERM.
  expect(await stop({ stopBy: 'SIGINT' })).toBe('up\ngot SIGINT\nended with 0\n');
});
