import type { KeyObject } from 'node:crypto';
import type { Context } from '../../context.ts';
import { testEventType } from '#lib/contract/events/events.ts';
import { openHeaders, type StaticHeaders } from '../webhooks/static-headers.ts';
import { importSecret, openSecret } from '../webhooks/secret/secret.ts';
import type { TakenRow } from './store/take-deliveries.ts';

/** A delivery that is due, with what to send. */
export type TakenDelivery = {
  eventId: number;
  dueAt: Date;
  /** Attempts made so far, in all and since it was last queued. */
  attemptCount: number;
  tries: number;
  /** Attempts with an internal error since it was last queued, or someone retried it. */
  internalErrors: number;
  /** Whether someone requested this attempt. */
  isRequested: boolean;
  /** When the schedule's next attempt is due, if this one was requested before it. */
  scheduledAt: Date | null;
  isTest: boolean;
  replayUuid: string | null;
  /** Null if the event is no longer kept. */
  event: { uuid: string; payload: string; traceParent: string | null } | null;
};

/** A lane as it was when its deliveries were taken. */
export type TakenLane = {
  webhookId: number;
  accountId: string;
  lease: number;
  /** Whether its latest attempt failed. */
  isFailing: boolean;
  url: string;
  /** Null if something of it cannot be decrypted, which is an error of this service. */
  sealed: {
    /** Newest first, as keys to sign with. */
    secrets: KeyObject[];
    /** What each request carries besides the headers of the service. */
    headers: StaticHeaders;
  } | null;
  /** How many attempts may begin within a second; null: no limit. */
  maxPerSecond: number | null;
  /** How long ago its latest attempt began, by its lane; only with a limit. */
  idleMs: number | null;
  /** Longest due first. */
  deliveries: TakenDelivery[];
};

/** Groups rows of deliveries into lanes; a lane's first row holds its own columns too. */
export function readTakenLanes(
  ctx: Pick<Context, 'cipher' | 'log'>,
  rows: readonly TakenRow[],
): TakenLane[] {
  const lanes = new Map<number, TakenLane & { positions: Map<TakenDelivery, number> }>();
  for (const row of rows) {
    if (row.url === null) continue;
    lanes.set(row.webhook_id, {
      webhookId: row.webhook_id,
      accountId: row.account_id,
      lease: row.lease,
      isFailing: row.failure_count > 0,
      url: row.url,
      sealed: openSealed(ctx, row),
      maxPerSecond: row.max_per_second,
      idleMs: row.idle_ms,
      deliveries: [],
      positions: new Map(),
    });
  }
  for (const row of rows) {
    const lane = lanes.get(row.webhook_id);
    if (!lane || row.event_id === null || row.position === null) continue;
    const delivery = readDelivery(row, row.event_id);
    lane.positions.set(delivery, row.position);
    lane.deliveries.push(delivery);
  }
  return [...lanes.values()].map(({ positions, ...lane }) => ({
    ...lane,
    deliveries: lane.deliveries.toSorted(
      (a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0),
    ),
  }));
}

function readDelivery(row: TakenRow, eventId: number): TakenDelivery {
  const { event_uuid: uuid, payload, trace_parent: traceParent } = row;
  return {
    eventId,
    dueAt: new Date(row.due_ms ?? 0),
    attemptCount: row.attempt_count ?? 0,
    tries: row.tries ?? 0,
    internalErrors: row.internal_errors ?? 0,
    isRequested: row.is_requested ?? false,
    scheduledAt: row.scheduled_ms === null ? null : new Date(row.scheduled_ms),
    isTest: row.event_type === testEventType,
    replayUuid: row.replay_uuid,
    event: uuid === null || payload === null ? null : { uuid, payload, traceParent },
  };
}

function openSealed(
  { cipher, log }: Pick<Context, 'cipher' | 'log'>,
  { account_id: accountId, ...row }: TakenRow,
): TakenLane['sealed'] {
  const rowOf = ({ uuid, sealed }: { uuid: string; sealed: string }) => ({
    sealed: Buffer.from(sealed, 'base64'),
    uuid,
    accountId,
  });
  try {
    return {
      secrets: (row.secrets ?? []).map((secret) =>
        importSecret(openSecret({ cipher }, rowOf(secret))),
      ),
      headers: row.headers ? openHeaders({ cipher }, rowOf(row.headers)) : {},
    };
  } catch (error) {
    log.error(
      { err: error, webhook_id: row.webhook_id },
      'a signing secret or static header cannot be opened',
    );
    return null;
  }
}
