import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/**
 * Makes a server of a test listen on the loopback interface, where no other machine reaches it.
 *
 * @param port a free port by default
 * @returns the port on which it listens
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return portOf(server);
}

/** The TCP port of a server that listens on one. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** A port of the loopback interface on which no server listens. */
export async function unusedPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await once(server.close(), 'close');
  return port;
}
