import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long, and how much, a client whose body is refused can continue to send. */
const lingerMs = 2000;
const lingerBytes = 8_388_608;

/**
 * Responds with 413 immediately, and reads on for a moment before it closes the connection. If it
 * closed with unread bytes, the connection would be reset, and many clients would then lose the
 * response.
 */
export function refuseLargeBody(
  request: IncomingMessage,
  response: ServerResponse,
  message: string,
): void {
  const text = `${message}\n`;
  response.writeHead(413, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.write(text);

  let discarded = 0;
  const timer = setTimeout(close, lingerMs);
  function close(): void {
    clearTimeout(timer);
    request.off('data', discard);
    response.end();
  }
  function discard(chunk: Buffer): void {
    discarded += chunk.length;
    if (discarded > lingerBytes) close();
  }
  request.on('data', discard).once('end', close).once('close', close).once('error', close);
}
