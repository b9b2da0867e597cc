import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
// oxlint-disable-next-line no-restricted-imports -- a slow server is what these tests are about
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback } from '#lib/testing/loopback.ts';

/** A proxy between a client and a Redis server that records what the client sends. */
export type RedisProxy = {
  url: string;
  /** Every command sent so far, as a list of words. */
  commands(): string[][];
  /** How many connections were opened so far. */
  connections(): number;
  /** Stops forwarding commands on the connections that are open now, and keeps these open. */
  hang(): void;
  /** From now on forwards each response of Redis so many milliseconds later. */
  slowDown(ms: number): void;
  /** Responds with this error, in place of Redis, on the connections that are open now. */
  refuse(error: string): void;
  close(): Promise<void>;
};

/** @param target the server's URL, `redis://host:port` */
export async function openRedisProxy(target: string): Promise<RedisProxy> {
  const { hostname, port } = new URL(target);
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const connections: { refusal?: string; isHanging?: boolean }[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const connection: (typeof connections)[number] = {};
    connections.push(connection);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (chunk: Buffer) => {
      received.push(chunk.toString('latin1'));
      if (connection.refusal !== undefined) client.write(`-${connection.refusal}\r\n`);
      else if (!connection.isHanging) upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      void pause(delayMs).then(() => client.write(chunk));
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  return {
    url: `redis://127.0.0.1:${await listenOnLoopback(server)}`,
    commands: () => parseCommands(received.join('')),
    connections: () => connections.length,
    hang() {
      for (const connection of connections) connection.isHanging = true;
    },
    slowDown(ms) {
      delayMs = ms;
    },
    refuse(error) {
      for (const connection of connections) connection.refusal = error;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Parses commands in the form in which clients send them: an array of strings with their lengths.
 */
function parseCommands(text: string): string[][] {
  const commands: string[][] = [];
  let at = 0;
  const line = (): string => {
    const end = text.indexOf('\r\n', at);
    const found = text.slice(at + 1, end);
    at = end + 2;
    return found;
  };
  while (at < text.length) {
    const words: string[] = [];
    for (let left = Number(line()); left > 0; left -= 1) {
      const length = Number(line());
      words.push(text.slice(at, at + length));
      at += length + 2;
    }
    commands.push(words);
  }
  return commands;
}
