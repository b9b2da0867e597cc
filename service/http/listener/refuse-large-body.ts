import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long, and how much, a client whose body is refused may go on sending until it is cut off. */
const lingerMs = 2000;
const lingerBytes = 8_388_608;

/**
 * Answers 413 at once, and reads on for a moment before it closes: closed with bytes unread, the
 * connection is reset, and many clients then lose the answer.
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
