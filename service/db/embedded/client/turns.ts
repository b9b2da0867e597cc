/** Lets one transaction at a time have the connection, in the order in which they asked for it. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  get isFree(): boolean {
    return !this.#isTaken;
  }

  /** Resolves when the connection is free; it is taken until `end` is called. */
  async take(): Promise<void> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#isTaken = true;
  }

  end(): void {
    const next = this.#waiting.shift();
    // It stays taken, so that nobody who asks later comes before who waits.
    if (next !== undefined) next();
    else this.#isTaken = false;
  }
}
