/** How many that have their answer are kept until they are removed together. */
const mostAnswered = 1000;

/** Those who wait for answers, which come in the order of the questions. */
export class Waiting<Value> {
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
    // Not with each, which would move all that follow.
    if (this.#next < this.#promises.length && this.#next < mostAnswered) return;
    this.#promises = this.#promises.slice(this.#next);
    this.#next = 0;
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#promises.slice(this.#next)) reject(error);
    this.#promises = [];
    this.#next = 0;
  }
}
