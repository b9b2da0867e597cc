import type { IncomingMessage, ServerResponse } from 'node:http';
import { Slots } from '../concurrency/slots.ts';
import { subscriberOf } from '../network/networks.ts';
import type { PageHandler } from './next-pages.ts';

/**
 * A higher `maxConcurrent` would not be faster: one thread renders all pages, so each would only end
 * later. The 40 of `sharedQueue` wait a second or two. A browser sends six requests at a time over
 * HTTP/1.1.
 */
const defaultLimits = {
  maxConcurrent: 4,
  sharedQueue: 40,
  maxQueuedPerKey: 6,
  maxQueued: 400,
  /**
   * How many milliseconds a page counts as being rendered at most. One that takes longer usually
   * waits for something itself, such as a client that downloads.
   */
  countedMs: 1000,
};

/**
 * Lets a few pages, actions and refetches be rendered at a time, and some more wait. Client
 * addresses take turns, so that one client with many requests keeps nobody else out. If too many
 * wait, a request is refused immediately, before any work on it.
 *
 * @param refuse sends the response to a refused request
 */
export function limitRenders(
  render: PageHandler,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
  { countedMs, ...limits } = defaultLimits,
): PageHandler {
  // Next forwards some actions to another page, and the first page keeps its slot while it waits.
  const slots = { direct: new Slots(limits), forwarded: new Slots(limits) };
  return async (request, response) => {
    const { headers } = request;
    const { direct, forwarded } = slots;
    const closing = new AbortController();
    response.once('close', () => closing.abort());
    // The listener has replaced what the client sent in this header.
    const client = subscriberOf(String(headers['x-forwarded-for']));
    const slot = (headers['x-action-forwarded'] === '1' ? forwarded : direct).acquire(
      client,
      closing.signal,
    );
    if (slot === null) {
      refuse(request, response);
      return;
    }
    const release = await slot;
    // A client that has disconnected by now reads nothing.
    if (release === null || response.closed) {
      release?.();
      return;
    }
    const timer = setTimeout(release, countedMs);
    response.once('close', () => {
      clearTimeout(timer);
      release();
    });
    await render(request, response);
  };
}
