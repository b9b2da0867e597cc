import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyedConcurrencyLimit } from '../concurrency/keyed-concurrency-limit.ts';
import { subscriberOf } from '../network/networks.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

type Room = {
  /** How many are rendered at a time. */
  atOnce: number;
  /** How many may wait, of whatever clients. */
  waiting: number;
  /** How many of each client may wait, however many of others do. */
  ofClient: number;
  /** The most that may wait in all. */
  waitingInAll: number;
  /** How long one counts at most, in milliseconds. */
  maxMs: number;
};

/**
 * A higher limit would not be faster: one thread renders all pages, so each would only end later.
 * 40 wait a second or two.
 *
 * A page that takes longer than a second usually waits for something itself, such as a client that
 * downloads, and no longer counts.
 *
 * A browser sends six requests at a time over HTTP/1.1.
 */
const defaultRoom: Room = { atOnce: 4, waiting: 40, ofClient: 6, waitingInAll: 400, maxMs: 1000 };

/**
 * Lets a few pages, actions and refetches be rendered at a time, and some more wait. Client
 * addresses take turns, so that one client with many requests keeps nobody else out. If too many
 * wait, a request is refused at once, before any work on it.
 *
 * @param refuse sends the response to a refused request
 */
export function limitRenders(
  render: Handle,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
  room = defaultRoom,
): Handle {
  const makeLimit = () =>
    new KeyedConcurrencyLimit({
      maxConcurrent: room.atOnce,
      sharedQueue: room.waiting,
      maxQueuedPerKey: room.ofClient,
      maxQueued: room.waitingInAll,
    });
  // Next forwards some actions to another page, and the first page keeps its slot while it waits.
  const limits = { direct: makeLimit(), forwarded: makeLimit() };
  return async (request, response) => {
    const { headers } = request;
    const limit = headers['x-action-forwarded'] === '1' ? limits.forwarded : limits.direct;
    // The listener has replaced what the client sent in this header.
    const slot = limit.acquire(subscriberOf(String(headers['x-forwarded-for'])));
    if (slot === null) {
      refuse(request, response);
      return;
    }
    const release = await slot;
    // A client that has disconnected by now reads nothing.
    if (response.closed) {
      release();
      return;
    }
    const timer = setTimeout(release, room.maxMs);
    response.once('close', () => {
      clearTimeout(timer);
      release();
    });
    await render(request, response);
  };
}
