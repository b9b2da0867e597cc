import type { AuditAction } from '#lib/contract/audit-log/audit-actions.ts';
import type { Tx } from '../../db/open.ts';
import type { ActorReference } from '../../db/schema/columns.ts';
import { mintAccountId } from '../account-id.ts';
import type { Origin } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listMemberships } from './store/members.ts';

/**
 * Records what happened to a person, or what they did to themselves, in the audit log of each of
 * their accounts.
 *
 * @param change.by who did it; by default, the person
 */
export async function recordInAccounts(
  tx: Tx,
  change: {
    person: { id: string; name: string };
    by?: ActorReference;
    origin: Origin | null;
    action: Extract<AuditAction, `person.${string}`> | 'session.sign_in_failed';
    now: Date;
    changes?: Record<string, unknown>;
  },
): Promise<void> {
  const { person, origin, action, now, changes } = change;
  const target = { kind: 'person', id: person.id, name: person.name } as const;
  const { by = target } = change;
  for (const { accountId } of await listMemberships(tx, person.id)) {
    await recordAudit(tx, {
      accountId: mintAccountId(accountId),
      by,
      origin,
      action,
      at: now,
      target,
      ...(changes && { changes }),
    });
  }
}
