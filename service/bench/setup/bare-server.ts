import { createServer } from 'node:http';

// Runs in a separate process and sends every request the same response: this is the cost of HTTP
// alone.

const body = JSON.stringify({ success: true, data: { id: 1, name: 'Bare' } });

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.send?.(address.port);
});

// The parent process may have failed.
process.on('disconnect', () => process.exit());
