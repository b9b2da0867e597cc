import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '#lib/testing/loopback.ts';

// Runs as a separate process (receiver.ts) that receives webhooks. It records when each request
// arrived, by the clock that all processes of a machine share.

/** A request: the number in its body, its path, and nanoseconds of `process.hrtime`. */
type Arrival = [number: number, path: string, at: string];

export type ReceiverMessage = { port?: number; count?: number; arrivals?: Arrival[] };

let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  void record(request, response);
});
post({ port: await listenOnLoopback(server) });

process.on('message', ({ command, path }: { command: 'count' | 'take'; path?: string }) => {
  if (command === 'count') {
    post({ count: arrivals.filter((one) => path === undefined || one[1] === path).length });
  } else {
    post({ arrivals });
    arrivals = [];
  }
});

// The parent process may have failed.
process.on('disconnect', () => process.exit());

async function record(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  response.writeHead(204).end();
  const number = /"(?:text|subject)":"(\d+)"/.exec(body)?.[1] ?? '-1';
  arrivals.push([Number(number), request.url ?? '', String(process.hrtime.bigint())]);
}

function post(message: ReceiverMessage): void {
  process.send?.(message);
}
