import { request as openRequest } from 'node:http';
import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * How long the headers of an answer may be. One that leads elsewhere may repeat the address it was asked
 * for, twice or with each `/` in three characters, so that they can be longer than those of a request.
 */
const mostHeaderBytes = 65_536;

/**
 * Each of the listener, the limit of renders and `pipeline` listens for the end of an answer, the last
 * in seven places. From the eleventh on, Node would write a warning to the log for every page.
 */
const mostCloseListeners = 20;

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
    maxHeaderSize: mostHeaderBytes,
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
  response.setMaxListeners(mostCloseListeners);
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
 * How the end of a body is found whose length the request does not say. Without it Node sends the body
 * of a GET and some others with nothing around it, and the other process reads it as the next request
 * of the connection: a client could ask past all checks, and take the request of somebody else.
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
