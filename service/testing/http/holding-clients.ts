import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/**
 * The request of a client. The server responds immediately to a GET of `path`, and to a POST once
 * it has the body.
 */
export type Held = { host: string; port: number; path: string; headers?: readonly string[] };

/** Ways in which a client keeps a connection busy or open for as long as the server allows. */
export const waysToHold = {
  'an idle kept-alive connection': async (held: Held) => {
    const socket = await open(held);
    socket.write(request('GET', held));
    await once(socket, 'data');
    return socket;
  },
  'half a header': async (held: Held) => {
    const socket = await open(held);
    await write(socket, `GET ${held.path} HTTP/1.1\r\nHost: loc`);
    return socket;
  },
  'half a body': async (held: Held) => {
    const socket = await open(held);
    await write(socket, `${request('POST', held, 'Content-Length: 100')}{`);
    return socket;
  },
  'responses it never reads': async (held: Held) => {
    const socket = await open(held);
    // More than the buffers of both ends hold, so that the server has responses that it cannot
    // send, but no more than it allows to wait.
    socket.write(request('GET', held).repeat(200));
    await once(socket, 'data');
    socket.pause();
    return socket;
  },
  'an upgraded socket': async (held: Held) => {
    const socket = await open(held);
    socket.write(request('GET', held, 'Connection: Upgrade', 'Upgrade: websocket'));
    await once(socket, 'data');
    return socket;
  },
} as const;

/**
 * Resolves once the other side has ended the connection. It continues to read, so call it only when
 * the other side should have ended the connection.
 */
export async function untilGone(socket: Socket): Promise<void> {
  if (socket.closed) return;
  socket.resume();
  await once(socket, 'close');
}

async function open({ port, host }: Held): Promise<Socket> {
  const socket = connect({ port, host });
  // A reset is one way in which the connection may end.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function write(socket: Socket, bytes: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.write(bytes, () => resolve());
  await promise;
}

function request(method: string, held: Held, ...more: string[]): string {
  const { path, host, port, headers = [] } = held;
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}:${port}`, ...headers, ...more];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
