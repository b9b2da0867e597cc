import { Counts } from '../../concurrency/counts.ts';

/**
 * Limits in bytes: how much memory a process uses for bodies that are still arriving, and how much
 * of that for one account. The first `freeOfEach` bytes of each body do not count; they are about
 * as much as a connection needs anyway. Ordinary bodies are therefore read even if others send
 * large ones slowly.
 */
export const defaultBodyRoom = {
  maxBytes: 64 * 1_048_576,
  maxPerAccount: 16 * 1_048_576,
  freeOfEach: 16_384,
};

/**
 * Memory for the bodies that are being read. Without a limit, clients that send thousands of large
 * bodies slowly would fill the memory. A sender is an account or, before that is known, an address.
 */
export class BodyRoom {
  readonly #limits: typeof defaultBodyRoom;
  readonly #ofSender = new Counts();
  #all = 0;

  constructor(limits: typeof defaultBodyRoom) {
    this.#limits = limits;
  }

  /**
   * Reserves memory for a body that grows from `from` to `to` bytes; false if there is not enough.
   */
  grow(sender: string, from: number, to: number): boolean {
    const added = this.#counted(to) - this.#counted(from);
    if (added === 0) return true;
    const { maxBytes, maxPerAccount } = this.#limits;
    if (this.#all + added > maxBytes) return false;
    if (this.#ofSender.of(sender) + added > maxPerAccount) return false;
    this.#all += added;
    this.#ofSender.add(sender, added);
    return true;
  }

  /** Releases the memory of a body of this size. */
  leave(sender: string, bytes: number): void {
    const counted = this.#counted(bytes);
    if (counted === 0) return;
    this.#all -= counted;
    this.#ofSender.add(sender, -counted);
  }

  #counted(bytes: number): number {
    return Math.max(0, bytes - this.#limits.freeOfEach);
  }
}
