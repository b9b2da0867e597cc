import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * How long a socket without a request in progress can still send one while the server stops. Proxies
 * keep sockets open between requests, and may have sent the next one before they learn of the stop:
 * they would report the closed socket to their client. Browsers open sockets in advance and may
 * never use them.
 */
const idlePatienceMs = 1000;

/**
 * The open connections of a server, so that it can end all of them. Node forgets a socket once it
 * is upgraded, and then neither waits for it nor closes it.
 */
export class OpenConnections {
  readonly #server: Server;
  /**
   * Each socket, with the response in progress on it. This is not a set of responses, because V8
   * keeps the removed entries of such a set alive until a full garbage collection, and copies them
   * until then.
   */
  readonly #sockets = new Map<Socket, ServerResponse | null>();
  readonly #upgraded = new WeakSet<Duplex>();
  #isDraining = false;
  #closesIdle = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.set(socket, null);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Tracks the response in progress on a connection. */
  trackResponse(socket: Socket, response: ServerResponse): void {
    if (this.#isDraining) response.setHeader('Connection', 'close');
    this.#sockets.set(socket, response);
    response.on('close', () => {
      if (this.#sockets.get(socket) === response) this.#sockets.set(socket, null);
      // Its headers may already have said that the connection stays open.
      if (this.#closesIdle) setImmediate(() => this.#server.closeIdleConnections());
    });
  }

  /** Records that a socket was upgraded: no HTTP response will end on it. */
  noteUpgrade(socket: Duplex): void {
    this.#upgraded.add(socket);
  }

  /**
   * Stops accepting connections, lets responses in progress end, and destroys all sockets that are
   * still open after `patienceMs`. Sockets without a request are closed after a second.
   */
  async drain(patienceMs: number): Promise<void> {
    this.#isDraining = true;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    // The method of an HTTP server would also close idle sockets immediately.
    SocketServer.prototype.close.call(this.#server, () => resolve());
    for (const response of this.#sockets.values()) {
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
    }
    this.#destroy((socket) => this.#upgraded.has(socket));
    const timers = [
      setTimeout(() => this.#closeIdle(), idlePatienceMs),
      setTimeout(() => this.#destroy(() => true), patienceMs),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }

  #closeIdle(): void {
    this.#closesIdle = true;
    this.#server.closeIdleConnections();
    this.#destroy(({ bytesRead }) => bytesRead === 0);
  }

  #destroy(isMeant: (socket: Socket) => boolean): void {
    for (const socket of this.#sockets.keys()) if (isMeant(socket)) socket.destroy();
  }
}
