import { ServiceError } from '../domain/errors.ts';

/** How many calls may wait in each queue. So few that the last in line waits a second or two. */
type QueueLengths = { knownDevices: number; unknownDevices: number };

/**
 * Runs at most two password hashes at a time. A hash deliberately takes 32 MiB and a whole core, so
 * a flood of guesses must not start one hash each.
 *
 * Calls from known devices, or for a password within a session, are served first. They have a queue
 * of their own, which guesses from unknown devices cannot fill.
 */
export class HashingQueue {
  readonly #lengths: QueueLengths;
  readonly #knownDevices: (() => void)[] = [];
  readonly #unknownDevices: (() => void)[] = [];
  #running = 0;

  constructor(lengths: QueueLengths = { knownDevices: 50, unknownDevices: 20 }) {
    this.#lengths = lengths;
  }

  /**
   * @throws ServiceError RATE_LIMIT_EXCEEDED at once, without running `hash`, if the queue is full
   */
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
    const limit = isKnownDevice ? this.#lengths.knownDevices : this.#lengths.unknownDevices;
    if (line.length >= limit) throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
    await new Promise<void>((resolve) => line.push(resolve));
  }

  /** Passes the slot directly to the next in line, so that a new call cannot take it first. */
  #handOver(): void {
    const next = this.#knownDevices.shift() ?? this.#unknownDevices.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

const hashesAtOnce = 2;
const retryAfterSeconds = 2;
