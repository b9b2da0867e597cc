import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type RequestHandler<Response> = (
  request: IncomingMessage,
  response: Response,
  /** When it arrived, as a time of `performance.now()`. */
  arrived: number,
) => void;

/**
 * Handles all requests that arrive in one turn of the event loop together, after the last of them
 * was read. Reading from and writing to sockets between two calls evicts the processor's caches,
 * which makes each call slower. A request that arrives alone does not wait for others.
 *
 * A request whose client has closed the connection by then is skipped.
 */
export function handleInBatches<Response extends typeof ServerResponse>(
  server: Server<typeof IncomingMessage, Response>,
  handle: RequestHandler<InstanceType<Response>>,
): void {
  let batch: Parameters<typeof handle>[] = [];

  function handleBatch(): void {
    const arrivals = batch;
    batch = [];
    for (const [request, response, arrived] of arrivals) {
      if (!response.closed) handle(request, response, arrived);
    }
  }

  server.on('request', (request, response) => {
    if (batch.length === 0) setImmediate(handleBatch);
    batch.push([request, response, performance.now()]);
  });
}
