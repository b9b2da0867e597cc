/** The streams of events that this process has open. */
export class EventStreams {
  readonly #open = new Set<AbortController>();
  #isEnding = false;

  /** A controller that is aborted when the process stops; `remove` it when the stream ends. */
  add(): AbortController {
    const stop = new AbortController();
    if (this.#isEnding) stop.abort();
    this.#open.add(stop);
    return stop;
  }

  remove(stop: AbortController): void {
    this.#open.delete(stop);
  }

  /** Ends every stream, so that its client connects again to another process. */
  async endAll(): Promise<void> {
    this.#isEnding = true;
    for (const stop of this.#open) stop.abort();
  }
}
