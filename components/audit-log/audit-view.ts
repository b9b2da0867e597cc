import {
  hasWindow,
  type TimeWindow,
  toTimeFilter,
} from '#components/shell/search/time-window/time-window.ts';
import {
  auditActionGroups,
  auditActions,
  describeAuditAction,
} from '#lib/contract/audit-log/audit-actions.ts';
import { dayMs } from '#lib/durations.ts';
import type { AuditFilter } from '#lib/queries/audit-log.ts';
import { isKeyOf } from '#lib/object-keys.ts';

/** The time spans before now that can be chosen. */
export const auditSpans = {
  '24h': { milliseconds: dayMs, label: 'Last 24 hours' },
  '7d': { milliseconds: 7 * dayMs, label: 'Last 7 days' },
  '30d': { milliseconds: 30 * dayMs, label: 'Last 30 days' },
} as const;

export const auditSpanChoices = ['any', '24h', '7d', '30d'] as const;

/** The filters of the log. */
export type AuditView = {
  /** The id of a person, the UUID of a key, or a kind of actor; empty: anyone. */
  actor: string;
  /** An action or a group of actions; empty: any. */
  action: string;
  /** The id of the target; empty: any. */
  target: string;
  since: (typeof auditSpanChoices)[number];
  // In place of `since`:
} & TimeWindow;

export function isFiltered(view: AuditView): boolean {
  const { actor, action, target, since } = view;
  return actor !== '' || action !== '' || target !== '' || since !== 'any' || hasWindow(view);
}

export function toAuditFilter(view: AuditView): AuditFilter {
  const { actor, action, target } = view;
  return {
    actor: actor || undefined,
    action: action || undefined,
    target: target.trim() || undefined,
    ...toTimeFilter(view, auditSpans),
  };
}

export const actorKinds = {
  person: 'People',
  api_key: 'API keys',
  system: 'The service',
} as const;

/** The label of a group or an action in the filter: `Webhooks`, `Created the key …`. */
export function labelOfAction(action: string): string {
  if (isKeyOf(auditActionGroups, action)) return auditActionGroups[action];
  const { before, after } = describeAuditAction(action);
  // Only the name of a replay, "Replay to Orders", says what it is.
  const target = action.startsWith('replay.') ? 'a replay' : '…';
  const sentence = isKeyOf(auditActions, action)
    ? `${before}${after === null ? '' : `${target}${after}`}`
    : action;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
