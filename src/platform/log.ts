import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

const SECRET_KEYS = [
  'token',
  'authToken',
  'password',
  'pwd',
  'phone',
  'code',
  'openid',
  'unionid',
  'secret',
  'cookie',
  'authorization',
];

/**
 * Writes JSON lines to stderr. Credentials never reach a line, in the upper three levels of the object; of a failed statement only
 * PostgreSQL's own message is kept, because the statement's parameters are personal data.
 */
export function createLog(level: string, destination: DestinationStream = stderr()): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: describeError },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    },
    destination,
  );
}

/**
 * Lines are written one by one, as the program logs them: pino would write them in the background, and its flush for a
 * fatal line or at the end of the program waits for ever when nobody reads the lines any more.
 */
const stderr = () => pino.destination({ dest: 2, sync: true });

/** The classes of PostgreSQL's codes begin with a digit, F, H, P or X, and so differ from codes of the system such as EPIPE. */
const SQL_STATE = /^[0-9FHPX][0-9A-Z]{4}$/;

/** Whether Drizzle made the error, with the statement and its parameters in the message. The cause is PostgreSQL's own error. */
export const isFailedStatement = (error: Error): boolean => 'query' in error && 'params' in error;

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return {
    type: error.name,
    message: isFailedStatement(error) ? 'a statement failed' : error.message.slice(0, 500),
    ...(code && { [SQL_STATE.test(code) ? 'sqlState' : 'errorCode']: code }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
  };
}
