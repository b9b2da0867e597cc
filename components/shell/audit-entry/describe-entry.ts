import { describeAuditAction } from '#lib/contract/audit-log/audit-actions.ts';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';

import { readChanges } from './read-changes.ts';

/**
 * The parts of a sentence about an entry before and after the name of its target; null after it if
 * the sentence does not name the target. If a webhook was only paused or activated, it says so.
 */
export function describeEntry({
  action,
  changes,
}: Pick<AuditEntry, 'action' | 'changes'>): ReturnType<typeof describeAuditAction> {
  const isActive = action === 'webhook.updated' ? onlyActivation(changes) : undefined;
  if (isActive === undefined) return describeAuditAction(action);
  return { before: isActive ? 'activated the webhook ' : 'paused the webhook ', after: '' };
}

/** Whether the webhook is active since the change; undefined if something else changed too. */
function onlyActivation(changes: AuditEntry['changes']): boolean | undefined {
  const fields = readChanges(changes).filter(({ field }) => field !== 'backlog');
  const [change] = fields;
  if (fields.length !== 1 || change?.field !== 'is_active') return undefined;
  return change.after === true;
}
