import { Pool } from 'undici';
import type { Dispatcher, buildConnector } from 'undici';
import { Slots } from './slots.ts';

export type ConnectionLimits = {
  /** Sockets in use at once for one webhook, which a hung one cannot take from its neighbours. */
  perLane: number;
  /** Sockets in use at once to one origin, whatever number of webhooks point there. */
  perOrigin: number;
  /** Webhooks of one origin whose connections are kept alive while they are idle. */
  idleLanesPerOrigin: number;
  /** Origins whose connections are kept alive while they are idle. */
  idleOrigins: number;
  /** How long an idle connection stays open unless the receiver asks for less, in milliseconds. */
  keepAliveMs: number;
};

export const usualConnectionLimits: ConnectionLimits = {
  perLane: 32,
  perOrigin: 128,
  idleLanesPerOrigin: 32,
  idleOrigins: 512,
  // Some common servers close after 5 s without saying so; a request sent into that is lost.
  keepAliveMs: 4000,
};

/** A connection of a lane's own pool, to be given back when its exchange is over. */
export type Borrowed = { dispatcher: Dispatcher; giveBack: () => void };

type Lane = { pool: Pool; slots: Slots; users: number };
type Origin = { lanes: Map<string, Lane>; slots: Slots; users: number };

/**
 * Kept-alive connections: a pool for each webhook and origin, so that two webhooks on one origin
 * never wait for each other's hung sockets. Waiting for a place happens before an attempt begins.
 */
export class Connections {
  readonly #connectorFor: (origin: URL) => buildConnector.connector;
  readonly #limits: ConnectionLimits;
  /** Both maps are in order of use: what is first was used longest ago. */
  readonly #origins = new Map<string, Origin>();

  constructor(
    connectorFor: (origin: URL) => buildConnector.connector,
    limits: ConnectionLimits = usualConnectionLimits,
  ) {
    this.#connectorFor = connectorFor;
    this.#limits = limits;
  }

  async borrow(url: URL, laneId: string): Promise<Borrowed> {
    const origin = latest(this.#origins, url.origin, () => this.#newOrigin());
    const lane = latest(origin.lanes, laneId, () => this.#newLane(url));
    origin.users += 1;
    lane.users += 1;
    await lane.slots.take();
    await origin.slots.take();
    return {
      dispatcher: lane.pool,
      giveBack: () => {
        origin.slots.give();
        lane.slots.give();
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

  #newOrigin(): Origin {
    return { lanes: new Map(), slots: new Slots(this.#limits.perOrigin), users: 0 };
  }

  #newLane({ origin }: URL): Lane {
    const { perLane, keepAliveMs } = this.#limits;
    const pool = new Pool(origin, {
      connect: this.#connectorFor(new URL(origin)),
      connections: perLane,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      maxHeaderSize: 16_384,
      // The whole attempt has one limit of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { pool, slots: new Slots(perLane), users: 0 };
  }

  /** Lets go of the pools that were used longest ago, never of one in use. */
  #closeIdle(origin: Origin): void {
    if (origin.lanes.size > this.#limits.idleLanesPerOrigin) closeOldest(origin.lanes);
    if (this.#origins.size <= this.#limits.idleOrigins) return;
    const [name, oldest] = firstUnused(this.#origins) ?? [];
    if (name === undefined || oldest === undefined) return;
    this.#origins.delete(name);
    while (closeOldest(oldest.lanes));
  }
}

function closeOldest(lanes: Map<string, Lane>): boolean {
  const [id, lane] = firstUnused(lanes) ?? [];
  if (id === undefined || lane === undefined) return false;
  lanes.delete(id);
  // Nothing runs in it, so nothing can fail but what is gone anyway.
  void lane.pool.destroy();
  return true;
}

function firstUnused<Value extends { users: number }>(
  map: Map<string, Value>,
): [string, Value] | null {
  for (const entry of map) if (entry[1].users === 0) return entry;
  return null;
}

/** The value of a key, made if there is none, moved to the end of the map. */
function latest<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  return value;
}
