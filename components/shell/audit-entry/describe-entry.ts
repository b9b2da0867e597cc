import { describeAuditAction } from '#lib/contract/audit-log/audit-actions.ts';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { formatCount } from '#lib/count.ts';
import { readChanges } from './read-changes.ts';

/** The parts of a sentence about an entry before and after its target; `after` null: not named. */
export function describeEntry({
  action,
  changes,
  actor,
  target,
}: DescribedEntry): ReturnType<typeof describeAuditAction> {
  const isActive = action === 'webhook.updated' ? onlyActivation(changes) : undefined;
  if (isActive !== undefined) {
    return { before: isActive ? 'activated the webhook ' : 'paused the webhook ', after: '' };
  }
  const failures = changes?.['failed_sign_ins'];
  if (action === 'session.sign_in_failed' && typeof failures === 'number' && failures > 1) {
    return { before: `failed ${formatCount(failures)} times to sign in as `, after: '' };
  }
  const sentence = describeAuditAction(action);
  const isOwn = target?.kind === 'person' && actor?.id === target.id;
  if (!isOwn || !sentence.before.endsWith(' of ')) return sentence;
  // The entry about another session says which one.
  if (action === 'session.ended' && readChanges(changes).length === 0) {
    return { before: 'signed out', after: null };
  }
  return { before: sentence.before.slice(0, -' of '.length), after: null };
}

/** Without its actor and target, the sentence is that about someone else. */
export type DescribedEntry = Pick<AuditEntry, 'action' | 'changes'> &
  Partial<Pick<AuditEntry, 'actor' | 'target'>>;

/** Whether the webhook is active since the change; undefined if something else changed too. */
function onlyActivation(changes: AuditEntry['changes']): boolean | undefined {
  const fields = readChanges(changes).filter(({ field }) => field !== 'backlog');
  const [change] = fields;
  if (fields.length !== 1 || change?.field !== 'is_active') return undefined;
  return change.after === true;
}
