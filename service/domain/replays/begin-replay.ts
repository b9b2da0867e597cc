import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import { actorReference, type Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import {
  countReplayEvents,
  findEventIdAt,
  type ReplayCount,
  type ReplayWindow,
} from './store/replay-events.ts';
import { insertReplay, type ReplayRow } from './store/replays.ts';

/** Statements that write events are cancelled well before, even if clocks differ by seconds. */
export const maxWriteMs = 60_000;

/** Stores in the deciding transaction that a window of events is sent again; workers queue it. */
export async function beginReplay(
  tx: Tx,
  actor: Actor,
  {
    webhook,
    counted,
    now,
    since,
    until,
    statusFilter,
    sendsPending = false,
    sendsEarlier = false,
    inactiveSince = null,
  }: ReplayWindow & { webhook: { name: string }; counted: ReplayCount; now: Date },
): Promise<ReplayRow> {
  const { count, firstEventId } = counted;
  // Not directly before the first event, because an event with a lower id may be committed later.
  const settledId = await findEventIdAt(tx, new Date(since.getTime() - maxWriteMs));
  const replay = await insertReplay(tx, {
    accountId: actor.accountId,
    webhookId: webhook.id,
    since,
    until,
    statusFilter,
    sendsPending,
    sendsEarlier,
    inactiveSince,
    state: 'running',
    total: count,
    // The first step does not have to read everything before the window.
    cursorEventId: firstEventId === null ? settledId : Math.min(settledId, firstEventId - 1),
    createdAt: now,
    createdBy: actorReference(actor),
  });
  await recordAudit(tx, {
    actor,
    action: 'replay.created',
    at: now,
    target: { kind: 'replay', id: replay.uuid, name: `Replay to ${webhook.name}` },
    changes: {
      since: formatApiTime(since),
      until: formatApiTime(until),
      status: statusFilter,
      ...(sendsPending && { include_pending: true }),
      ...(sendsEarlier && { include_earlier: true }),
      total: count,
    },
  });
  return replay;
}

/**
 * How many events a window has, of which those before `at` were counted already. For the transaction
 * that creates a replay: it may have waited since the count, and must not count everything again,
 * because completions wait for its locks.
 */
export async function countRest(
  tx: Tx,
  window: ReplayWindow,
  { counted, at }: { counted: ReplayCount; at: Date },
): Promise<ReplayCount> {
  const since = at > window.since ? at : window.since;
  if (since >= window.until) return counted;
  const rest = await countReplayEvents(tx, { ...window, since });
  const ids = [counted.firstEventId, rest.firstEventId].filter((id) => id !== null);
  return {
    count: counted.count + rest.count,
    firstEventId: ids.length === 0 ? null : Math.min(...ids),
  };
}
