/** How an item used its turn. */
export type TurnResult =
  /** It did one thing, and may want to do more. */
  | 'served'
  /** It did the one thing that it wanted to do. */
  | 'done'
  /** It wants to do something, but may not do it now. */
  | 'blocked'
  /** It has nothing to do. */
  | 'idle';

/**
 * Round robin between keys, such as accounts, and between the items of a key. Each key that was
 * served goes to the end of the order, and so does the item.
 */
export class Turns<Key, Item> {
  readonly #items = new Map<Key, Set<Item>>();

  /** Adds an item that has something to do. It keeps getting turns until it is `done` or `idle`. */
  add(key: Key, item: Item): void {
    const items = this.#items.get(key) ?? new Set();
    this.#items.set(key, items.add(item));
  }

  delete(key: Key, item: Item): void {
    const items = this.#items.get(key);
    items?.delete(item);
    if (items?.size === 0) this.#items.delete(key);
  }

  clear(): void {
    this.#items.clear();
  }

  /** How many keys have items with something to do. */
  get size(): number {
    return this.#items.size;
  }

  /** How many items of a key have something to do. */
  countOf(key: Key): number {
    return this.#items.get(key)?.size ?? 0;
  }

  /**
   * Gives turns until `max` items were served or no item is left. A blocked item gets one turn.
   * @returns whether it stopped at `max`, so that more items may be waiting
   */
  serve(max: number, takeTurn: (item: Item) => TurnResult): boolean {
    let left = max;
    // Iterating over a map also visits the entries that are added during the iteration.
    for (const [key, items] of this.#items) {
      const isServed = serveOne(items, takeTurn);
      if (items.size === 0 || isServed) this.#items.delete(key);
      if (!isServed) continue;
      if (items.size > 0) this.#items.set(key, items);
      left -= 1;
      if (left === 0) return true;
    }
    return false;
  }
}

function serveOne<Item>(items: Set<Item>, takeTurn: (item: Item) => TurnResult): boolean {
  for (const item of items) {
    const result = takeTurn(item);
    if (result === 'blocked') continue;
    items.delete(item);
    if (result === 'idle') continue;
    if (result === 'served') items.add(item);
    return true;
  }
  return false;
}
