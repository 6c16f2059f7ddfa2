import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  let lines = '';
  write(createLog('info', { write: (line) => void (lines += line) }));
  return lines;
}

test('a failed statement is logged without its parameters', () => {
  const error = Object.assign(
    new Error('Failed query: select * from users where phone = $1\nparams: 13800001234', {
      cause: Object.assign(new Error('relation "users" does not exist'), { code: '42P01' }),
    }),
    { query: 'select …', params: ['13800001234'] },
  );
  const lines = linesOf((log) => log.error({ error }, 'unexpected failure'));
  expect(lines).toContain('relation \\"users\\" does not exist');
  expect(lines).toContain('"sqlState":"42P01"');
  expect(lines).not.toContain('13800001234');
});

test('codes of errors stay: they are not the codes that log people in', () => {
  const lines = linesOf((log) => {
    log.error({ error: Object.assign(new Error('alipay refused: ACQ.NOT_ENOUGH'), { code: 'E1' }) }, 'job failed');
    log.warn({ why: 'SIGN_ERROR', vendorCode: 'isv.invalid-signature' }, 'refused');
  });
  for (const word of ['ACQ.NOT_ENOUGH', '"errorCode":"E1"', 'SIGN_ERROR', 'isv.invalid-signature'])
    expect(lines).toContain(word);
});

test('a code of the system is told from one of PostgreSQL', () => {
  const lines = linesOf((log) => {
    for (const code of ['EPIPE', 'ENOSPC', '53100', 'XX000'])
      log.warn({ error: Object.assign(new Error('failed'), { code }) }, 'failed');
  });
  for (const word of ['"errorCode":"EPIPE"', '"errorCode":"ENOSPC"', '"sqlState":"53100"', '"sqlState":"XX000"'])
    expect(lines).toContain(word);
});

test('credentials are struck out at any depth we log at', () => {
  const lines = linesOf((log) =>
    log.info({
      token: 'canary1',
      body: { pwd: 'canary2' },
      a: { b: { phone: 'canary3', openid: 'canary4' } },
      login: { authToken: 'canary5' },
    }),
  );
  expect(lines).not.toMatch(/canary/);
});

test('a program whose log nobody reads any more ends all the same', async () => {
  // Two lines in one go: the second is flushed while the first is being written.
  const program = `
    import { createLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    const log = createLog('warn');
    process.stdin.once('end', () => {
      log.warn('stopping');
      log.fatal('failed');
      process.exitCode = 3;
    }).resume();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  child.stderr.destroy();
  await once(child.stderr, 'close');
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([3, null]);
});
