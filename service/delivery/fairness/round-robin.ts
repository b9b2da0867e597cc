/** How a lane used its turn. */
export type TurnResult =
  /** The lane did one thing, and may want to do more. */
  | 'served'
  /** The lane wants to do something, but may not do it now. */
  | 'blocked'
  /** The lane has nothing to do. */
  | 'idle';

/**
 * Round robin between accounts, and between the lanes of an account. Whoever was served goes to the
 * end of the order.
 */
export class RoundRobin<Lane extends { accountId: string }> {
  readonly #accounts = new Map<string, Set<Lane>>();

  /** Adds a lane that has something to do. It keeps getting turns until a turn is `idle`. */
  add(lane: Lane): void {
    const lanes = this.#accounts.get(lane.accountId) ?? new Set();
    this.#accounts.set(lane.accountId, lanes.add(lane));
  }

  clear(): void {
    this.#accounts.clear();
  }

  /**
   * Gives turns until `max` lanes were served or no lane is left. A blocked lane gets one turn.
   * @returns whether it stopped at `max`, so that more lanes may be waiting
   */
  serve(max: number, takeTurn: (lane: Lane) => TurnResult): boolean {
    let left = max;
    // Iterating over a map also visits the entries that are added meanwhile.
    for (const [accountId, lanes] of this.#accounts) {
      const isServed = serveOne(lanes, takeTurn);
      if (lanes.size === 0 || isServed) this.#accounts.delete(accountId);
      if (!isServed) continue;
      if (lanes.size > 0) this.#accounts.set(accountId, lanes);
      left -= 1;
      if (left === 0) return true;
    }
    return false;
  }
}

function serveOne<Lane>(lanes: Set<Lane>, takeTurn: (lane: Lane) => TurnResult): boolean {
  for (const lane of lanes) {
    const result = takeTurn(lane);
    if (result === 'blocked') continue;
    lanes.delete(lane);
    if (result === 'idle') continue;
    lanes.add(lane);
    return true;
  }
  return false;
}
