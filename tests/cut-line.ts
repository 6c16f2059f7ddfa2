import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut, as a restart of the server looks from here, and mended. */
export type Line = {
  /** The same address by way of the line. */
  url: string;
  /** Breaks every connection; new ones are refused until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
};

export async function openLine(serverUrl: string): Promise<Line> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    keep(near);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const mend = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await mend(0);
  const at = server.address();
  const port = at !== null && typeof at === 'object' ? at.port : 0;
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
    mend: () => mend(port),
  };
}
