import { request as openRequest } from 'node:http';
import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * The limit for the headers of a response. A redirect may repeat the requested address twice, or
 * encode each `/` in it as three characters, so its headers can be longer than those of the
 * request.
 */
const maxHeaderBytes = 65_536;

/**
 * The listener, the limit of renders and `pipeline` together add more than ten `close` listeners to a
 * response. With Node's default limit, each page would log a warning.
 */
const maxCloseListeners = 20;

/** There was no connection, so nothing of the request was sent or read. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  /** Whether the socket does not exist, rather than accepting no connection at the moment. */
  readonly isSocketMissing: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.isSocketMissing = cause.code === 'ENOENT';
  }
}

/**
 * Forwards a request to another process on this machine, and passes its response on as it arrives.
 * If the response breaks off, so does the connection to the client.
 *
 * @throws NotConnectedError, or another error if there is no response; nothing was sent to the
 *   client then
 */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, socketPath }: { agent: Agent; socketPath: string },
): Promise<void> {
  const { method, url, headers } = request;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = openRequest({
    agent,
    socketPath,
    method,
    path: url,
    headers: { ...withoutHopByHop(headers), ...framingOf(headers) },
    maxHeaderSize: maxHeaderBytes,
  });
  let isConnected = false;
  function sendBody(): void {
    isConnected = true;
    request.pipe(sent);
  }
  sent.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', sendBody);
    else sendBody();
  });
  sent.once('response', resolve);
  sent.on('error', (cause) => {
    reject(isConnected ? cause : new NotConnectedError(cause));
  });
  // A client that has left needs no page, and a response that nobody reads would keep its
  // connection open.
  const giveUp = () => void sent.destroy();
  response.setMaxListeners(maxCloseListeners);
  response.once('close', giveUp);

  try {
    const received = await promise;
    for (const [name, value] of Object.entries(withoutHopByHop(received.headers))) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.writeHead(received.statusCode ?? 502);
    // If one side breaks off, the other is destroyed, even before anything was passed on.
    await pipeline(received, response).catch(giveUp);
  } finally {
    response.off('close', giveUp);
  }
}

/**
 * Keeps the chunked encoding of a body without a `Content-Length`. Otherwise Node would send the
 * body of a GET, DELETE or OPTIONS without any framing. The other process would read it as the next
 * request on the connection (request smuggling), which no check of the listener has seen.
 */
function framingOf(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

/** Headers that concern one connection and must not be forwarded (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function withoutHopByHop(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}
