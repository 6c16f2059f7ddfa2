import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The port is taken, or not permitted: the operator has to choose another. */
export class ListenError extends Error {}

/** Hosts that mean every address of the machine: no address to open. */
export const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Returns the address of a page of a server on this host. */
export const addressAt = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Starts to listen on a TCP port and returns its number, which the system chooses for 0. Throws ListenError in words that name
 * the variables of the configuration: `portName`, and `hostName` where the host can be configured.
 */
export async function bind(
  server: Server,
  { port, host, portName, hostName }: { port: number; host: string; portName: string; hostName: string | null },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        return reject(new ListenError(`Port ${port} is in use. Set ${portName} to another one.`));
      if (error.code === 'EACCES')
        return reject(new ListenError(`Port ${port} may not be opened by this user. Set ${portName} to another one.`));
      if (hostName !== null && (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'))
        return reject(new ListenError(`${hostName} ${host} is not an address of this machine.`));
      reject(error);
    });
    server.listen(port, host, resolve);
  });
  // Safe: the server listens on TCP, so its address is an AddressInfo.
  return (server.address() as AddressInfo).port;
}
