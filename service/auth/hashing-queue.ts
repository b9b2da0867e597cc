import { ServiceError } from '../domain/errors.ts';

/** How many may wait where. One hash takes some 50 ms, so that the last in line waits a second or two. */
type Room = { knownDevices: number; unknownDevices: number };

/**
 * Lets two password hashes run at once. A hash takes 32 MiB and a core for its time, on purpose, so
 * a flood of guesses must not start one hash each.
 *
 * Calls from known devices (or for a password within a session) go first and have a queue that
 * guesses from unknown devices cannot fill.
 */
export class HashingQueue {
  readonly #room: Room;
  readonly #knownDevices: (() => void)[] = [];
  readonly #unknownDevices: (() => void)[] = [];
  #running = 0;

  constructor(room: Room = { knownDevices: 50, unknownDevices: 20 }) {
    this.#room = room;
  }

  /** @throws ServiceError RATE_LIMIT_EXCEEDED at once, without running `hash`, if the line is full */
  async run<Result>(
    { isKnownDevice }: { isKnownDevice: boolean },
    hash: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#running < hashesAtOnce) this.#running += 1;
    else await this.#wait(isKnownDevice);
    try {
      return await hash();
    } finally {
      this.#handOver();
    }
  }

  async #wait(isKnownDevice: boolean): Promise<void> {
    const line = isKnownDevice ? this.#knownDevices : this.#unknownDevices;
    const room = isKnownDevice ? this.#room.knownDevices : this.#room.unknownDevices;
    if (line.length >= room) throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
    await new Promise<void>((resolve) => line.push(resolve));
  }

  /** Hands the slot directly to the next in line, so that a newcomer cannot take it first. */
  #handOver(): void {
    const next = this.#knownDevices.shift() ?? this.#unknownDevices.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

const hashesAtOnce = 2;
const retryAfterSeconds = 2;
