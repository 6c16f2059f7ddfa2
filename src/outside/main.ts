/**
 * The pretend outside world as a program: WeChat, WeChat Pay, Alipay, two SMS carriers and a phone. The site starts the
 * program, receives the accounts that it opened (`process.send`) and ends it. By hand: `node src/outside/main.ts --port 3001`.
 */
import { parseArgs } from 'node:util';
import { accountsOf, openOutside } from './server.ts';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    /** Take any free port when the given one is taken. */
    'any-port': { type: 'boolean', default: false },
  },
});

const tell = (message: object) => {
  if (process.send) process.send(message);
  else process.stdout.write(`${JSON.stringify(message, null, 2)}\n`);
};
const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
const isTaken = (error: unknown) => hasCode(error, 'EADDRINUSE');

/** Returns which option cannot be used, and why in words for the operator. */
function refusalOf(error: unknown): { option: 'host' | 'port'; error: string } {
  if (isTaken(error)) return { option: 'port', error: `Port ${values.port} is in use.` };
  if (hasCode(error, 'EACCES')) return { option: 'port', error: `Port ${values.port} may not be opened by this user.` };
  if (hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAFNOSUPPORT'))
    return { option: 'host', error: `${values.host} is not an address of this machine.` };
  return { option: 'port', error: String(error) };
}

const { host } = values;
try {
  const wanted = openOutside({ host, port: Number(values.port) });
  const outside = await wanted.catch((error: unknown) => {
    if (!values['any-port'] || !isTaken(error)) throw error;
    return openOutside({ host, port: 0 });
  });
  const end = () => void outside.close().then(() => process.exit(0));
  // The site has ended, however that happened.
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  // Ctrl-C reaches the whole process group: the site ends this program when its own shutdown is done.
  process.on('SIGINT', () => (process.connected ? undefined : end()));
  tell({ url: outside.url, port: outside.port, accounts: accountsOf(outside.world) });
} catch (error) {
  tell(refusalOf(error));
  process.exitCode = 1;
  process.disconnect?.();
}
