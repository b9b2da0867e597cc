import { Slots } from '../concurrency/slots.ts';
import { ServiceError } from '../domain/errors.ts';

/** How many calls may wait in each queue. So few that the last in line waits a second or two. */
type QueueLengths = { knownDevices: number; unknownDevices: number };

const retryAfterSeconds = 2;

/**
 * Runs at most two password hashes at a time. A hash deliberately takes 32 MiB and a whole core, so
 * a flood of guesses must not start one hash each.
 *
 * Calls from known devices, or for a password within a session, are served first. They have a queue
 * of their own, which guesses from unknown devices cannot fill.
 */
export class HashingQueue {
  readonly #slots: Slots<boolean>;

  constructor(
    { knownDevices, unknownDevices }: QueueLengths = { knownDevices: 50, unknownDevices: 20 },
  ) {
    this.#slots = new Slots({
      maxConcurrent: 2,
      maxQueuedPerKey: (isKnownDevice) => (isKnownDevice ? knownDevices : unknownDevices),
      isUrgent: (isKnownDevice) => isKnownDevice,
      refuse: () => Promise.reject(new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds })),
    });
  }

  /** @throws ServiceError RATE_LIMIT_EXCEEDED, without running `hash`, if the queue is full */
  async run<Result>(
    { isKnownDevice }: { isKnownDevice: boolean },
    hash: () => Promise<Result>,
  ): Promise<Result> {
    return await this.#slots.run(isKnownDevice, hash);
  }
}
