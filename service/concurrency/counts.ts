/** A count for each key. A key whose count is zero again is removed. */
export class Counts {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, amount: number): void {
    const count = this.of(key) + amount;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
