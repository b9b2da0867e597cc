/** Failing lanes together have this part of the budget. */
const failingShare = 1 / 5;

/** How many attempts a worker may have under way: in all, and for lanes that fail. */
export class InFlightBudget {
  readonly #size: number;
  readonly #failingSize: number;
  #used = 0;
  #usedByFailing = 0;

  constructor(size: number) {
    this.#size = size;
    this.#failingSize = Math.max(1, Math.floor(size * failingShare));
  }

  get used(): number {
    return this.#used;
  }

  hasRoom(isFailing: boolean): boolean {
    return this.#used < this.#size && !(isFailing && this.#usedByFailing >= this.#failingSize);
  }

  /** Takes a place; what is returned gives it back. */
  take(isFailing: boolean): () => void {
    this.#used += 1;
    if (isFailing) this.#usedByFailing += 1;
    return () => {
      this.#used -= 1;
      if (isFailing) this.#usedByFailing -= 1;
    };
  }
}
