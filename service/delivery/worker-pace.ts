import type { SocketLimits } from './fairness/socket-places.ts';

/** Times in milliseconds. */
export type WorkerPace = {
  /** How long results gather before they are written down, and how long the last of a lane. */
  settleMs: number;
  releaseMs: number;
  /** The least time between two statements of the same kind, such as two claims of due lanes. */
  gapMs: number;
  leaseMs: number;
  /** How long a wake-up that was lost goes unnoticed at most. */
  pollMs: number;
  sweepMs: number;
  /**
   * How often the worker says that it is there, and after how long a silence others take it for
   * dead and free its lanes. Null where no other worker can be.
   */
  heartbeatMs: number | null;
  deadAfterMs: number;
  /** How much one statement does at most: lanes claimed, deliveries taken, attempts written down. */
  lanesPerClaim: number;
  deliveriesPerTake: number;
  attemptsPerSettlement: number;
};

/** What a worker uses at most of what is scarce. */
export type WorkerLimits = SocketLimits & {
  /** Bytes of the bodies it holds, queued or being sent. */
  bodyBytes: number;
};

export const defaultLimits: Omit<WorkerLimits, 'sockets'> = {
  socketsPerOrigin: 128,
  bodyBytes: 64 * 1024 * 1024,
};

const onServer: WorkerPace = {
  settleMs: 50,
  releaseMs: 5,
  gapMs: 0,
  leaseMs: 30_000,
  pollMs: 5000,
  sweepMs: 10_000,
  heartbeatMs: 1000,
  deadAfterMs: 3500,
  // An event for a hundred webhooks is claimed at once.
  lanesPerClaim: 128,
  deliveriesPerTake: 2000,
  attemptsPerSettlement: 500,
};

/**
 * On the one connection of the embedded database, statements of the API want their turn: less than
 * these 5 ms between two of the worker's makes latency worse under load, and more always does
 * (docs/bench.md).
 * All others wait during a statement, 100 ms where it takes 1,000 deliveries.
 */
const embedded: WorkerPace = {
  ...onServer,
  settleMs: 20,
  releaseMs: 10,
  gapMs: 5,
  // One process has it to itself, and frees all leases at its start.
  heartbeatMs: null,
  deliveriesPerTake: 250,
  attemptsPerSettlement: 250,
};

export const workerPaces = { postgresql: onServer, pglite: embedded } as const;
