/** A count for each key. A key whose count is zero again is removed. */
export class Counts<Key = string> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, amount: number): void {
    const count = this.of(key) + amount;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
