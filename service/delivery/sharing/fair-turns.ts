/** What came of asking a lane. */
export type Asked =
  /** It was its turn, and it did one thing of what it wants to do. */
  | 'served'
  /** It wants something, but may not have it at this moment. */
  | 'blocked'
  /** It wants nothing. */
  | 'idle';

/**
 * Whose turn it is: the accounts take turns, and then the lanes of an account. Both stand in the order
 * in which they are asked; whoever was served goes to the end.
 */
export class FairTurns<Lane extends { accountId: string }> {
  readonly #accounts = new Map<string, Set<Lane>>();

  /** A lane wants something; it is asked until it is idle. */
  add(lane: Lane): void {
    const lanes = this.#accounts.get(lane.accountId) ?? new Set();
    this.#accounts.set(lane.accountId, lanes.add(lane));
  }

  clear(): void {
    this.#accounts.clear();
  }

  /**
   * Asks until so many were served or nobody is left. Who is blocked is asked once.
   * @returns whether more might be served at once
   */
  serve(most: number, ask: (lane: Lane) => Asked): boolean {
    let left = most;
    // A map that is changed while it is walked through goes on to what is put at its end.
    for (const [accountId, lanes] of this.#accounts) {
      const isServed = serveOne(lanes, ask);
      if (lanes.size === 0 || isServed) this.#accounts.delete(accountId);
      if (!isServed) continue;
      if (lanes.size > 0) this.#accounts.set(accountId, lanes);
      left -= 1;
      if (left === 0) return true;
    }
    return false;
  }
}

function serveOne<Lane>(lanes: Set<Lane>, ask: (lane: Lane) => Asked): boolean {
  for (const lane of lanes) {
    const asked = ask(lane);
    if (asked === 'blocked') continue;
    lanes.delete(lane);
    if (asked === 'idle') continue;
    lanes.add(lane);
    return true;
  }
  return false;
}
