import { request as openRequest } from 'node:http';
import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * The limit for the headers of a response. A redirect may repeat the requested address twice, or with
 * each `/` encoded in three characters, so its headers can be longer than those of the request.
 */
const maxHeaderBytes = 65_536;

/**
 * The listener, the limit of renders and `pipeline` together add more than ten `close` listeners to a
 * response. With Node's default limit, each page would log a warning.
 */
const maxCloseListeners = 20;

/** No connection was made, so the request has not arrived, and nothing of it was read. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}

/**
 * Has another process on this machine answer a request, and passes its answer on while it arrives.
 * An answer that breaks off breaks the connection to the client off as well.
 *
 * @throws NotConnectedError, or another error if there is no answer; nothing of one is sent by then
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
    reject(isConnected ? cause : new NotConnectedError(cause.message, { cause }));
  });
  // A client that is gone needs no page. An answer that nobody reads would keep its connection open.
  const giveUp = () => void sent.destroy();
  response.setMaxListeners(maxCloseListeners);
  response.once('close', giveUp);

  try {
    const answer = await promise;
    for (const [name, value] of Object.entries(withoutHopByHop(answer.headers))) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.writeHead(answer.statusCode ?? 502);
    // Whatever breaks off on one side is destroyed on the other, also before anything was passed on.
    await pipeline(answer, response).catch(giveUp);
  } finally {
    response.off('close', giveUp);
  }
}

/**
 * Keeps the chunked encoding of a body without a `Content-Length`. Otherwise Node would send the body of
 * a GET, DELETE or OPTIONS without any framing, and the other process would read it as the next request
 * on the connection (request smuggling), past all checks of the listener.
 */
function framingOf(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

/** Headers about one connection, which say nothing about the next one (RFC 9110, 7.6.1). */
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
