import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut, as a restart of the server looks from here, and mended, or fall silent, as when a firewall forgets its connections. */
export type Line = {
  /** The same address by way of the line. */
  url: string;
  /** Breaks every connection; new ones are refused until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** From now on the connections that are open carry nothing in either direction, and stay open. New ones work. */
  silence(): void;
};

export async function openLine(serverUrl: string): Promise<Line> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let generation = 0;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(target.port || 5432), host: target.hostname, allowHalfOpen: true });
    const own = generation;
    const join = (from: Socket, to: Socket) => {
      sockets.add(from);
      const unlessSilent = (pass: () => void) => own === generation && pass();
      from.on('error', () => {});
      from.on('data', (bytes) => unlessSilent(() => to.write(bytes)));
      from.on('end', () => unlessSilent(() => to.end()));
      from.on('close', () => {
        sockets.delete(from);
        unlessSilent(() => to.destroy());
      });
    };
    join(near, far);
    join(far, near);
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
    silence: () => void generation++,
  };
}
