import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many requests of a connection may wait. A request takes far more memory than bytes on the
 * wire: without a limit, one client could use up the memory of the service.
 */
const maxQueued = 200;

/**
 * Carries out the requests of a connection one after another. A client may send several without
 * waiting for responses (pipelining); Node begins them all at once and only sorts the responses, so a
 * DELETE could overtake the POST before it (RFC 9112, 9.3.2).
 *
 * A client that exceeds the limit is disconnected, because Node keeps each request until it got its
 * response.
 */
export class RequestQueue {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  readonly #waiting = new WeakMap<Socket, number>();

  /**
   * Waits until all earlier requests of the connection have got their responses.
   *
   * @returns true at once if there are none; false if the connection ended in the meantime, so that
   *   the request must not be carried out
   */
  wait({ socket }: IncomingMessage, response: ServerResponse): true | Promise<boolean> {
    const earlier = this.#latest.get(socket);
    this.#latest.set(socket, response);
    return !earlier || earlier.closed || this.#follow(earlier, { socket, response });
  }

  async #follow(
    earlier: ServerResponse,
    { socket, response }: { socket: Socket; response: ServerResponse },
  ): Promise<boolean> {
    this.#addWaiting(socket, 1);
    if ((this.#waiting.get(socket) ?? 0) > maxQueued) socket.destroy();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    earlier.once('close', resolve);
    await closed;
    this.#addWaiting(socket, -1);
    if (socket.writable) return true;
    // Wakes the request that waits for this response, so that it learns that the response has
    // ended.
    response.destroy();
    return false;
  }

  #addWaiting(socket: Socket, change: 1 | -1): void {
    this.#waiting.set(socket, (this.#waiting.get(socket) ?? 0) + change);
  }
}
