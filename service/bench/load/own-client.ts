import { fork } from 'node:child_process';
import { connections } from './http-client.ts';
import type { HttpClient, HttpLoad, HttpResult } from './http-client.ts';
import { nextMessage } from './next-message.ts';

/** The input of the sending process: complete requests, byte for byte, which it sends in turn. */
export type OwnLoad = {
  port: number;
  requests: readonly string[];
  status: number;
  connections: number;
  seconds: number;
};

export type OwnResult = HttpResult | { problem: string };

/** A client for machines without `wrk`: sockets in a separate process, without an HTTP library. */
export function createOwnClient(): HttpClient {
  return {
    name: 'own client',
    async send(load) {
      const child = fork(new URL('./send-over-sockets.ts', import.meta.url));
      child.send({
        port: Number(new URL(load.origin).port),
        requests: load.calls.map((call) => writeRequest(load, call)),
        status: load.status,
        connections,
        seconds: load.seconds,
      } satisfies OwnLoad);
      const result = await nextMessage<OwnResult>(child);
      child.kill();
      if ('problem' in result) throw new Error(`${load.calls[0]?.path}: ${result.problem}`);
      return result;
    },
  };
}

/** A complete request, byte for byte. */
export function writeRequest(
  { origin, method, body }: Pick<HttpLoad, 'origin' | 'method' | 'body'>,
  { path, token }: HttpLoad['calls'][number],
): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Authorization: Bearer ${token}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
