import { createServer } from 'node:http';
import { listenOnLoopback } from '#lib/testing/loopback.ts';

// Runs in a separate process and sends every request the same response: this is the cost of HTTP
// alone.

const body = JSON.stringify({ success: true, data: { id: 1, name: 'Bare' } });

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
});

process.send?.(await listenOnLoopback(server));

// The parent process may have failed.
process.on('disconnect', () => process.exit());
