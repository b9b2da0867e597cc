import type { IncomingMessage, ServerResponse } from 'node:http';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How many are rendered at once, how many may wait, and how long one counts at most. */
type Room = { atOnce: number; waiting: number; longestMs: number };

/**
 * More at once would not be done sooner: one thread renders them all, and each would only end later.
 * 40 wait a second or two.
 *
 * What takes longer than a second waits for something itself, such as a download for its client.
 */
const usualRoom: Room = { atOnce: 4, waiting: 40, longestMs: 1000 };

/**
 * Lets a few pages, actions and refetches be rendered at a time and some more wait, in the order in
 * which they came. One more is refused at once, before anything of it is begun.
 *
 * @param refuse answers who is refused
 */
export function limitRenders(
  render: Handle,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
  room = usualRoom,
): Handle {
  const places = new Places(room);
  const forwarded = new Places(room);
  return async (request, response) => {
    // Next sends some actions on to another page, and the page that does waits in its own place.
    const isForwarded = request.headers['x-action-forwarded'] === '1';
    const place = (isForwarded ? forwarded : places).take();
    if (place === null) {
      refuse(request, response);
      return;
    }
    const giveBack = await place;
    // A client that is gone by now reads nothing.
    if (response.closed) {
      giveBack();
      return;
    }
    const timer = setTimeout(giveBack, room.longestMs);
    response.once('close', () => {
      clearTimeout(timer);
      giveBack();
    });
    await render(request, response);
  };
}

class Places {
  readonly #room: Room;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  /** A place, once there is one, as what gives it back; null if too many wait already. */
  take(): Promise<() => void> | null {
    if (this.#taken < this.#room.atOnce) {
      this.#taken += 1;
      return Promise.resolve(this.#giveBackOnce());
    }
    if (this.#waiting.length >= this.#room.waiting) return null;
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.#giveBackOnce())));
  }

  #giveBackOnce(): () => void {
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
    };
  }
}
