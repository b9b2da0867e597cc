import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyedConcurrencyLimit } from '../concurrency/keyed-concurrency-limit.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How many are rendered at once, how many may wait, and how long one counts at most. */
type Room = { atOnce: number; waiting: number; maxMs: number };

/**
 * More at once would not be done sooner: one thread renders them all, and each would only end later.
 * 40 wait a second or two.
 *
 * What takes longer than a second waits for something itself, such as a download for its client.
 */
const defaultRoom: Room = { atOnce: 4, waiting: 40, maxMs: 1000 };

/**
 * Lets a few pages, actions and refetches be rendered at a time and some more wait, in the order in
 * which they came. One more is refused at once, before anything of it is begun.
 *
 * @param refuse answers who is refused
 */
export function limitRenders(
  render: Handle,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
  room = defaultRoom,
): Handle {
  // Next sends some actions on to another page, and the page that does waits in its own slot.
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
    // A client that is gone by now reads nothing.
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
