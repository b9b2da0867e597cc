import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { listenOnLoopback } from '#lib/testing/loopback.ts';

// Runs as a separate process that receives webhooks on two ports. It responds with 204 at once, but
// under `/hang` never and under `/slow` after 13 s. It records when each request arrived, by the
// clock that all processes of a machine share. It is also a name server that never responds.

const slowResponseMs = 13_000;

/**
 * A request that arrived: the number in its body, its path, and nanoseconds of `process.hrtime`.
 */
export type ReceivedRequest = [number: number, path: string, at: string];

export type SinkMessage =
  | { kind: 'ports'; ports: [number, number]; nameServerPort: number }
  | { kind: 'count'; count: number }
  | { kind: 'arrivals'; arrivals: ReceivedRequest[] };

export type SinkCommand = { kind: 'count'; path: string | null } | { kind: 'take' };

let arrivals: ReceivedRequest[] = [];

const listener: Parameters<typeof createServer>[1] = (request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    const path = request.url ?? '';
    if (path.startsWith('/hang')) return;
    if (path.startsWith('/slow')) {
      setTimeout(() => response.writeHead(204).end(), slowResponseMs);
      return;
    }
    response.writeHead(204).end();
    const number = /"(?:text|subject)":"(\d+)"/.exec(body)?.[1] ?? '-1';
    arrivals.push([Number(number), path, String(process.hrtime.bigint())]);
  });
};

await start();

async function start(): Promise<void> {
  const ports: [number, number] = [
    await listenOnLoopback(createServer(listener)),
    await listenOnLoopback(createServer(listener)),
  ];
  const nameServer = createSocket('udp4');
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  post({ kind: 'ports', ports, nameServerPort: nameServer.address().port });
}

process.on('message', (command: SinkCommand) => {
  if (command.kind === 'count') {
    const isCounted = ([, path]: ReceivedRequest) => command.path === null || path === command.path;
    post({ kind: 'count', count: arrivals.filter(isCounted).length });
    return;
  }
  post({ kind: 'arrivals', arrivals });
  arrivals = [];
});

// The parent process may have failed.
process.on('disconnect', () => process.exit());

function post(message: SinkMessage): void {
  process.send?.(message);
}
