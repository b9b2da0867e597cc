import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP proxy to a server, whose connections can be held, cut and restored. */
export type Wire = {
  /** The server's URL through the proxy. */
  url: string;
  /** Keeps what is sent to the server on connections that are open now. */
  hold(): void;
  /** Ends every connection, and each new one at once. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

/** @param url of the server, its port included */
export async function openWire(url: string): Promise<Wire> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const pairs: [near: Socket, far: Socket][] = [];
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
    pairs.push([near, far]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const wired = new URL(url);
  wired.host = `127.0.0.1:${port}`;

  function cut(): void {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: wired.href,
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
