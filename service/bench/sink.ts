import { createServer } from 'node:http';

// A process of its own that receives webhooks: it answers 204 at once, but under `/hang` never. It
// notes when each had arrived, on the clock that all processes of a machine share.

/** What arrived: the number in its body, its path, and nanoseconds of `process.hrtime`. */
export type Arrival = [number: number, path: string, at: string];

export type SinkMessage =
  | { kind: 'port'; port: number }
  | { kind: 'count'; count: number }
  | { kind: 'arrivals'; arrivals: Arrival[] };

export type SinkQuestion = { kind: 'count'; path: string | null } | { kind: 'take' };

let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    const path = request.url ?? '';
    if (path.startsWith('/hang')) return;
    response.writeHead(204).end();
    const number = /"subject":"(\d+)"/.exec(body)?.[1] ?? '-1';
    arrivals.push([Number(number), path, String(process.hrtime.bigint())]);
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) say({ kind: 'port', port: address.port });
});

process.on('message', (asked: SinkQuestion) => {
  if (asked.kind === 'count') {
    const isAsked = ([, path]: Arrival) => asked.path === null || path === asked.path;
    say({ kind: 'count', count: arrivals.filter(isAsked).length });
    return;
  }
  say({ kind: 'arrivals', arrivals });
  arrivals = [];
});

// Whoever started it may have failed.
process.on('disconnect', () => process.exit());

function say(message: SinkMessage): void {
  process.send?.(message);
}
