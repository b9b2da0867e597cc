import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '#lib/contract/audit-log/audit-actions.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import type { ActorReference } from '../../db/schema/columns.ts';
import type { AccountId } from '../account-id.ts';
import { actorReference, type Actor, type OperatorActor, type Origin } from '../actor.ts';
import { addPendingEntry } from './chain/pending-entries.ts';

type AuditTarget = { kind: string; id: string; name: string };

type AuditedBy =
  | { actor: Actor | OperatorActor }
  | { accountId: AccountId; by: ActorReference; origin: Origin | null };

/**
 * Records who did what to what, in the transaction of the change, so that neither is committed
 * without the other. The entry is written at the end of the transaction. `changes` must never
 * contain a token or a secret. The API returns it unchanged, so its names are those of the API, and
 * dates are written as the API writes them.
 */
export async function recordAudit(
  tx: Tx,
  entry: AuditedBy & {
    action: AuditAction;
    at: Date;
    target: AuditTarget;
    changes?: Record<string, unknown>;
  },
): Promise<void> {
  const who =
    'actor' in entry
      ? {
          accountId: entry.actor.accountId,
          by: actorReference(entry.actor),
          origin: entry.actor.origin,
        }
      : entry;
  addPendingEntry(tx, {
    accountId: who.accountId,
    at: entry.at,
    actor: who.by,
    action: entry.action,
    target: entry.target,
    changes: entry.changes ? allInApiForm(entry.changes) : null,
    ip: who.origin?.ip ?? null,
    userAgent: who.origin?.userAgent ?? null,
    requestId: who.origin?.requestId ?? null,
  });
}

function allInApiForm(changes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, inApiForm(value)]),
  );
}

/**
 * The difference between two states, in the form of audit entries: each changed field with its
 * values `from` and `to`. Fields have the names of the API. Fields that are undefined in the new
 * state or unchanged are left out.
 */
export function listChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [name, value] of Object.entries(after)) {
    const [from, to] = [inApiForm(before[name]), inApiForm(value)];
    if (to !== undefined && !isDeepStrictEqual(from, to)) changes[name] = { from, to };
  }
  return changes;
}

/** A value as the API writes it: a time as text, anything else as it is. */
function inApiForm(value: unknown): unknown {
  return value instanceof Date ? formatApiTime(value) : value;
}
