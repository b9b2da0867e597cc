import { Pool } from 'undici';
import type { Dispatcher, buildConnector } from 'undici';

export type ConnectionLimits = {
  /** The most sockets for one webhook, so that a webhook that hangs cannot use those of others. */
  perLane: number;
  /** With more open sockets than this, including those in use, connections are not kept alive. */
  sockets: number;
  /** With more sockets to one origin than this, connections of idle webhooks are not kept alive. */
  socketsPerOrigin: number;
  /** For how many idle webhooks of one origin connections are kept alive. */
  idleLanesPerOrigin: number;
  /** For how many idle origins connections are kept alive. */
  idleOrigins: number;
  /** How long an idle connection stays open unless the receiver asks for less, in milliseconds. */
  keepAliveMs: number;
};

export const defaultConnectionLimits: ConnectionLimits = {
  perLane: 32,
  sockets: 2048,
  // Twice as many as attempts may use at the same time.
  socketsPerOrigin: 256,
  idleLanesPerOrigin: 256,
  idleOrigins: 512,
  // Some common servers close idle connections after 5 s without notice; a request sent then is
  // lost.
  keepAliveMs: 4000,
};

/** A pool of connections of one lane, which is given back after the exchange. */
type Borrowed = { dispatcher: Dispatcher; giveBack: () => void };

type Lane = { pool: Pool; users: number; sockets: number };
type Origin = { lanes: Map<string, Lane>; users: number; sockets: number };

/** Kept-alive connections: a pool for each webhook and origin. The caller limits their use. */
export class Connections {
  readonly #connectorFor: (origin: URL) => buildConnector.connector;
  readonly #limits: ConnectionLimits;
  /** Both maps are in order of use: the first entry was used longest ago. */
  readonly #origins = new Map<string, Origin>();
  #sockets = 0;

  constructor(
    connectorFor: (origin: URL) => buildConnector.connector,
    limits: ConnectionLimits = defaultConnectionLimits,
  ) {
    this.#connectorFor = connectorFor;
    this.#limits = limits;
  }

  /** @param options `origin`: scheme, host and port */
  borrow({ origin: name }: { origin: string }, laneId: string): Borrowed {
    const origin = latest<Origin>(this.#origins, name, () => ({
      lanes: new Map(),
      users: 0,
      sockets: 0,
    }));
    const lane = latest(origin.lanes, laneId, () => this.#newLane(name, origin));
    origin.users += 1;
    lane.users += 1;
    return {
      dispatcher: lane.pool,
      giveBack: () => {
        origin.users -= 1;
        lane.users -= 1;
        this.#closeIdle(origin);
      },
    };
  }

  async close(): Promise<void> {
    const lanes = [...this.#origins.values()].flatMap((origin) => [...origin.lanes.values()]);
    this.#origins.clear();
    await Promise.all(lanes.map(async ({ pool }) => await pool.close()));
  }

  #newLane(name: string, origin: Origin): Lane {
    const { perLane, keepAliveMs } = this.#limits;
    const connect = this.#connectorFor(new URL(name));
    const lane: Lane = {
      users: 0,
      sockets: 0,
      pool: new Pool(name, {
        connect: (options, callback) =>
          connect(options, (...connected) => {
            const [, socket] = connected;
            if (socket) this.#count([lane, origin], socket);
            callback(...connected);
          }),
        connections: perLane,
        allowH2: false,
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: keepAliveMs,
        maxHeaderSize: 16_384,
        // The time limit of the whole attempt is set elsewhere (exchange.ts).
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    };
    return lane;
  }

  #count(
    owners: readonly { sockets: number }[],
    socket: { once(event: 'close', then: () => void): unknown },
  ): void {
    const add = (change: 1 | -1) => {
      for (const owner of owners) owner.sockets += change;
      this.#sockets += change;
    };
    add(1);
    socket.once('close', () => add(-1));
  }

  /** Closes the least recently used pools, never one in use. */
  #closeIdle(origin: Origin): void {
    const { sockets, socketsPerOrigin, idleLanesPerOrigin, idleOrigins } = this.#limits;
    if (origin.lanes.size > idleLanesPerOrigin) closeOldest(origin.lanes);
    closeSockets([origin], origin.sockets - socketsPerOrigin);
    if (this.#origins.size > idleOrigins) this.#closeOldestOrigin();
    closeSockets(this.#origins.values(), this.#sockets - sockets);
  }

  #closeOldestOrigin(): void {
    const [name, oldest] = firstUnused(this.#origins) ?? [];
    if (name === undefined || oldest === undefined) return;
    this.#origins.delete(name);
    while (closeOldest(oldest.lanes));
  }
}

function closeOldest(lanes: Map<string, Lane>): Lane | null {
  const [id, lane] = firstUnused(lanes) ?? [];
  if (id === undefined || lane === undefined) return null;
  lanes.delete(id);
  // No request is using the pool, so a failure here affects nobody.
  void lane.pool.destroy();
  return lane;
}

/** Closes unused pools until at least `excess` sockets are closed, or no unused pool is left. */
function closeSockets(origins: Iterable<Origin>, excess: number): void {
  if (excess <= 0) return;
  let left = excess;
  for (const { lanes } of origins) {
    for (const closed of closeAllUnused(lanes)) {
      left -= closed.sockets;
      if (left <= 0) return;
    }
  }
}

function* closeAllUnused(lanes: Map<string, Lane>): Iterable<Lane> {
  for (let closed = closeOldest(lanes); closed; closed = closeOldest(lanes)) yield closed;
}

function firstUnused<Value extends { users: number }>(
  map: Map<string, Value>,
): [string, Value] | null {
  for (const entry of map) if (entry[1].users === 0) return entry;
  return null;
}

/** The value of a key, which moves to the end of the map. Creates it if there is none. */
function latest<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  return value;
}
