import { IncomingMessage } from 'node:http';

/**
 * Reads the whole body of a request first, and returns a request that contains it.
 *
 * Next clones a body while it arrives. If the client disconnects before the end, nobody handles the
 * error of the clone: uncaught, it would end the process. A body that has already arrived cannot
 * fail.
 *
 * @param reserve reserves memory for this many bytes in all; false if there is not enough
 */
export async function readWholeRequest(
  request: IncomingMessage,
  maxBytes: number,
  reserve: (bytes: number) => boolean = () => true,
): Promise<{ whole: IncomingMessage; body: Buffer } | 'too large' | 'no memory' | 'gone'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Node continues to read the rest, so that the client receives its response.
    const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of arriving) {
      const grown = size + chunk.length;
      if (grown > maxBytes) return 'too large';
      if (!reserve(grown)) return 'no memory';
      size = grown;
      chunks.push(chunk);
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
