import type { SocketLimits } from './fairness/sockets.ts';

/** Times in milliseconds. */
export type WorkerPace = {
  /** How long results are collected before a write; `releaseMs`, the last ones of a lane. */
  collectMs: number;
  releaseMs: number;
  /** The shortest time between two statements of the same kind, such as two claims of due lanes. */
  gapMs: number;
  leaseMs: number;
  /** How often the worker looks for due lanes without a notification, in case one was lost. */
  pollMs: number;
  sweepMs: number;
  /**
   * How often the worker records a heartbeat, and after how long without one others consider it
   * dead and free its lanes. `heartbeatMs` is null if there can be no other worker.
   */
  heartbeatMs: number | null;
  deadAfterMs: number;
  /** The most that one statement handles: lanes claimed, deliveries taken, attempts written. */
  lanesPerClaim: number;
  deliveriesPerTake: number;
  attemptsPerCompletion: number;
};

/** The most that a worker uses of scarce resources. */
export type WorkerLimits = SocketLimits & {
  /** Bytes of the bodies that it holds, queued or being sent. */
  bodyBytes: number;
};

export const defaultLimits: Omit<WorkerLimits, 'sockets'> = {
  socketsPerOrigin: 128,
  bodyBytes: 64 * 1024 * 1024,
};

const onServer: WorkerPace = {
  collectMs: 50,
  releaseMs: 5,
  gapMs: 0,
  leaseMs: 30_000,
  pollMs: 5000,
  sweepMs: 10_000,
  heartbeatMs: 1000,
  deadAfterMs: 3500,
  // The lanes of an event for a hundred webhooks are claimed in one statement.
  lanesPerClaim: 128,
  deliveriesPerTake: 2000,
  attemptsPerCompletion: 500,
};

/**
 * The embedded database has one connection, which the worker shares with the API. A shorter gap
 * between two statements of the worker makes latency worse under load; a longer gap always does.
 * All other statements wait during one of the worker's, so these are for fewer deliveries.
 */
const embedded: WorkerPace = {
  ...onServer,
  collectMs: 20,
  releaseMs: 10,
  gapMs: 5,
  // Only one process can use the embedded database, and it frees all leases when it starts.
  heartbeatMs: null,
  deliveriesPerTake: 250,
  attemptsPerCompletion: 250,
};

export const workerPaces = { postgresql: onServer, pglite: embedded } as const;
