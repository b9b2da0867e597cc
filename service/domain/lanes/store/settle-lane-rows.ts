import type { Db, Tx } from '../../../db/open.ts';
import { settleStatement } from './settle-statement.ts';
import type { StoredSettlement } from './settle-statement.ts';

export type SettledLane = {
  webhookId: number;
  isReleased: boolean;
  isPaused: boolean;
  /** Whether a delivery became due, or the lane changed, since the last settlement. */
  wasDirty: boolean;
  wakeAt: Date | null;
  failureCount: number;
  failingSince: Date | null;
};

/**
 * The statement of `settleAttempts`. It reads `is_dirty` and the lease from the newest versions of
 * the locked rows, so that a delivery that became due in the meantime is not overlooked.
 */
export async function settleLaneRows(
  db: Db | Tx,
  settlement: StoredSettlement,
): Promise<SettledLane[]> {
  const { rows } = await db.execute<SettledLaneRow>(settleStatement(settlement));
  return rows.map(readSettledLane);
}

type SettledLaneRow = {
  webhook_id: number;
  is_released: boolean;
  is_paused: boolean;
  was_dirty: boolean;
  wake_ms: number | null;
  failure_count: number;
  failing_since_ms: number | null;
};

function readSettledLane(row: SettledLaneRow): SettledLane {
  return {
    webhookId: row.webhook_id,
    isReleased: row.is_released,
    isPaused: row.is_paused,
    wasDirty: row.was_dirty,
    wakeAt: row.wake_ms === null ? null : new Date(row.wake_ms),
    failureCount: row.failure_count,
    failingSince: row.failing_since_ms === null ? null : new Date(row.failing_since_ms),
  };
}
