/** Adds methods that the oldest browsers lack; `scripts/lint/browser-floor.ts` refuses others. */
export function addMissingMethods(): void {
  add(Array.prototype, {
    toReversed<Item>(this: Item[]) {
      // oxlint-disable-next-line unicorn/no-array-reverse -- this is the method it asks for
      return [...this].reverse();
    },
    toSorted<Item>(this: Item[], compare?: (a: Item, b: Item) => number) {
      // oxlint-disable-next-line unicorn/no-array-sort -- this is the method it asks for
      return [...this].sort(compare);
    },
  });
  add(Map, {
    groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key) {
      const groups = new Map<Key, Item[]>();
      let index = 0;
      for (const item of items) {
        const key = keyOf(item, index);
        groups.set(key, [...(groups.get(key) ?? []), item]);
        index += 1;
      }
      return groups;
    },
  });
  add(Promise, {
    withResolvers<Value>() {
      let resolve: unknown;
      let reject: unknown;
      const promise = new Promise<Value>((...settle) => {
        [resolve, reject] = settle;
      });
      return { promise, resolve, reject };
    },
  });
}

/** As in browsers that have them, the methods do not appear when properties are listed. */
function add(owner: object, methods: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(methods)) {
    if (name in owner) continue;
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }
}
