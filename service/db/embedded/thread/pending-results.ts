/** How many settled promises are kept before they are removed together. */
const maxSettled = 1000;

/** A queue of promises, resolved in the order in which they were added. */
export class PendingResults<Value> {
  #promises: PromiseWithResolvers<Value>[] = [];
  #next = 0;

  async add(): Promise<Value> {
    const added = Promise.withResolvers<Value>();
    this.#promises.push(added);
    return await added.promise;
  }

  resolveNext(value: Value): void {
    this.#promises[this.#next]?.resolve(value);
    this.#next += 1;
    // Not after each result, because removing the first element moves all the others.
    if (this.#next < this.#promises.length && this.#next < maxSettled) return;
    this.#promises = this.#promises.slice(this.#next);
    this.#next = 0;
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#promises.slice(this.#next)) reject(error);
    this.#promises = [];
    this.#next = 0;
  }
}
