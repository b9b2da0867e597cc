import { FairShare } from './fair-share.ts';

/**
 * Bytes that one lane may take at once. The largest body is half of this, a typical one a
 * hundredth.
 */
const maxPerTake = 128 * 1024;

/**
 * The memory for the bodies that a worker holds, queued or being sent, in bytes. Accounts share it
 * fairly.
 */
export class BodyMemory {
  readonly #share: FairShare;
  #hasRefused = false;

  constructor(capacity: number) {
    this.#share = new FairShare(capacity);
  }

  get free(): number {
    return this.#share.free;
  }

  add(accountId: string, bytes: number): void {
    this.#share.add(accountId, bytes);
  }

  /**
   * How many bytes a lane may take; 0: none.
   * @param held how many deliveries the lane holds. With 0, it may take one as long as there is any
   *   room.
   */
  roomFor(accountId: string, held: number): number {
    const share = this.#share;
    const free = share.limitFor(accountId) - share.usedBy(accountId);
    const room = Math.min(maxPerTake, Math.floor(free / 2));
    if (room > 0) return room;
    if (held === 0 && share.free > 0) return 1;
    this.#hasRefused = true;
    return 0;
  }

  /** Whether a lane was refused memory since the last call. */
  takeRefusal(): boolean {
    const hasRefused = this.#hasRefused;
    this.#hasRefused = false;
    return hasRefused;
  }
}
