import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { listenerOf, replaceInAddress } from './postgres-address.ts';

/** A proxy to a PostgreSQL server, whose connections can be held, cut and restored. */
export type Wire = {
  /** The server's URL through the proxy. */
  url: string;
  /** Holds back what is sent to the server on connections that are open now. */
  hold(): void;
  /** Ends every connection, and every new one immediately. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

/** The default port, which is part of a socket's name. */
const socketPort = '5432';

/** Listens on a socket in the folder, as PostgreSQL does. */
async function listenInFolder(
  server: Server,
  folder: string,
): Promise<{ host: string; port: string }> {
  await once(server.listen(join(folder, `.s.PGSQL.${socketPort}`)), 'listening');
  return { host: folder, port: socketPort };
}

/** @param socketFolder where the proxy listens on a socket, like PostgreSQL, instead of on TCP */
export async function openWire(url: string, socketFolder?: string): Promise<Wire> {
  const listener = listenerOf(url);
  const sockets = new Set<Socket>();
  const pairs: [near: Socket, far: Socket][] = [];
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(listener);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
    pairs.push([near, far]);
  });
  const place =
    socketFolder === undefined
      ? { host: '127.0.0.1', port: String(await listenOnLoopback(server)) }
      : await listenInFolder(server, socketFolder);

  function cut(): void {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: replaceInAddress(url, place),
    hold() {
      for (const [near, far] of pairs) near.unpipe(far);
    },
    cut,
    mend() {
      isCut = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
