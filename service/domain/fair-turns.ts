import { ServiceError } from './errors.ts';
import { holdBackRefusal } from './hold-back-refusal.ts';

/** How much is under way at once, how much of that for one, and how much may wait for one. */
type Most = { mostAtOnce: number; mostOfOne: number; mostWaitingOfOne: number };

/**
 * Lets a few pieces of work be under way at a time. Those for whom the others wait, by their names,
 * take turns, so that one for whom much waits holds up nobody else.
 */
export class FairTurns {
  readonly #most: Most;
  readonly #underWay = new Map<string, number>();
  /** By name, the one whose turn is next first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #all = 0;

  constructor(most: Most) {
    this.#most = most;
  }

  /** @throws ServiceError UNAVAILABLE if too much waits for this one already */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#hasRoom(name)) this.#begin(name);
    else await this.#turn(name);
    try {
      return await work();
    } finally {
      this.#end(name);
      this.#beginNext();
    }
  }

  #hasRoom(name: string): boolean {
    const { mostAtOnce, mostOfOne } = this.#most;
    return this.#all < mostAtOnce && (this.#underWay.get(name) ?? 0) < mostOfOne;
  }

  async #turn(name: string): Promise<void> {
    const waiting = this.#waiting.get(name) ?? [];
    if (waiting.length >= this.#most.mostWaitingOfOne) {
      await holdBackRefusal();
      throw new ServiceError('UNAVAILABLE');
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    this.#waiting.set(name, waiting);
    await promise;
  }

  #begin(name: string): void {
    this.#all += 1;
    this.#underWay.set(name, (this.#underWay.get(name) ?? 0) + 1);
  }

  #end(name: string): void {
    this.#all -= 1;
    const left = (this.#underWay.get(name) ?? 0) - 1;
    if (left > 0) this.#underWay.set(name, left);
    else this.#underWay.delete(name);
  }

  /** Gives the place of what ended to the next one. */
  #beginNext(): void {
    for (const [name, waiting] of this.#waiting) {
      if (!this.#hasRoom(name)) continue;
      this.#begin(name);
      waiting.shift()?.();
      this.#waiting.delete(name);
      if (waiting.length > 0) this.#waiting.set(name, waiting);
      return;
    }
  }
}
