import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorPage } from './answers/error-page.ts';

/** The status for what Node could not read as a request (`clientError`); 400 for everything else. */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
/** Node reads 16 KB of address and headers: a reader pasted a text into the address, or has too many cookies. */
const TOO_LONG = errorPage(431, '');
/** Time for a client to send the rest of a request that is too long: a connection that is closed before that is reset, and the answer with it. */
const LINGER_MS = 2_000;

/** Connections whose last answer is sent. Node reports each further part of their request again. */
const lingering = new WeakSet<Socket>();

/**
 * Answers what could not be read as a request, and closes the connection, as Node does by itself; but a request that is too
 * long is answered with a page, where Node sends the status alone, which a browser shows as an error of its own.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (lingering.has(socket)) return;
  const status = STATUS[error.code ?? ''] ?? 400;
  if (socket.writable && !hasAnswerUnderWay(socket)) {
    if (status === 431) return endWithPage(socket);
    socket.write(answer(status, {}, ''));
  }
  socket.destroy(error);
}

function endWithPage(socket: Socket): void {
  lingering.add(socket);
  socket.end(answer(431, TOO_LONG.headers, TOO_LONG.body));
  const end = setTimeout(() => socket.destroy(), LINGER_MS);
  end.unref();
  socket.once('close', () => clearTimeout(end));
}

function answer(status: number, headers: Record<string, string>, body: string): string {
  const all = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Whether an answer on this connection has begun. Node keeps it in this field of the socket, and looks there itself. */
function hasAnswerUnderWay(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return typeof response === 'object' && response !== null && Reflect.get(response, '_headerSent') === true;
}
