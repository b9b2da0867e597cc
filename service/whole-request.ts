import { IncomingMessage } from 'node:http';

/**
 * Reads a request's whole body first, and returns a request that contains it.
 *
 * Next clones a body while it arrives, and when the client hangs up in the middle, the clone's
 * error is nobody's: uncaught, it would end the process. A body that is here already cannot fail.
 */
export async function readWholeRequest(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ whole: IncomingMessage; body: Buffer } | 'too large' | 'gone'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Node goes on reading what is left, so that the client gets to read its answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) return 'too large';
      chunks.push(chunk as Buffer);
    }
  } catch {
    return 'gone';
  }
  const body = Buffer.concat(chunks);
  return { whole: withBody(request, body), body };
}

function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const whole = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders } = request;
  const { httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(whole, { method, url, headers, rawHeaders });
  Object.assign(whole, { httpVersion, httpVersionMajor, httpVersionMinor, complete: true });
  whole.push(body);
  whole.push(null);
  return whole;
}
