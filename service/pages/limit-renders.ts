import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyedConcurrencyLimit } from '../concurrency/keyed-concurrency-limit.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How many are rendered at a time, how many may wait, and how long one counts at most. */
type Room = { atOnce: number; waiting: number; maxMs: number };

/**
 * A higher limit would not be faster: one thread renders all pages, so each would only end later.
 * 40 wait a second or two.
 *
 * A page that takes longer than a second usually waits for something itself, such as a client that
 * downloads, and no longer counts.
 */
const defaultRoom: Room = { atOnce: 4, waiting: 40, maxMs: 1000 };

/**
 * Lets a few pages, actions and refetches be rendered at a time, and some more wait in the order in
 * which they came. If too many wait, a request is refused at once, before any work on it.
 *
 * @param refuse sends the response to a refused request
 */
export function limitRenders(
  render: Handle,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
  room = defaultRoom,
): Handle {
  // Next forwards some actions to another page, and the first page keeps its slot while it waits.
  const limit = new KeyedConcurrencyLimit({
    maxConcurrent: 2 * room.atOnce,
    maxPerKey: room.atOnce,
    maxQueuedPerKey: room.waiting,
  });
  return async (request, response) => {
    const isForwarded = request.headers['x-action-forwarded'] === '1';
    const slot = limit.acquire(isForwarded ? 'forwarded' : 'direct');
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
