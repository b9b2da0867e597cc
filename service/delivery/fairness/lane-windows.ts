import { LaneWindow } from './lane-window.ts';

/** How many windows are kept of lanes that are not held now. */
const windowsRemembered = 10_000;

/**
 * The windows of lanes, also of those that are not held now, so that a slow receiver keeps its small
 * window between events.
 */
export class LaneWindows {
  /** By webhook id, in order of use: the last entry was used most recently. */
  readonly #windows = new Map<number, LaneWindow>();

  /** The window of a lane, which is made if there is none. */
  of({ webhookId, isFailing }: { webhookId: number; isFailing: boolean }): LaneWindow {
    const window = this.#windows.get(webhookId) ?? new LaneWindow(isFailing);
    this.#windows.delete(webhookId);
    this.#windows.set(webhookId, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > windowsRemembered && oldest !== undefined) {
      this.#windows.delete(oldest);
    }
    return window;
  }
}
