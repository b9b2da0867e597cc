import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { AuditPage, ChangesPage } from '../api/audit-log.ts';
import { toQueryString } from '../paths/query-string.ts';
import { formatApiTime } from '../time.ts';
import { firstCursor, read } from './read.ts';

/** Which audit entries to read; a filter that is left out matches all. */
export type AuditFilter = {
  /** The id of a person, the UUID of a key, or a kind of actor. */
  actor?: string | undefined;
  /** An action, or the first part of the names of several actions. */
  action?: string | undefined;
  /** The id of the target. */
  target?: string | undefined;
  /** Done within so many milliseconds before now. */
  withinMs?: number | undefined;
  /** Done at this time or later, and before that one, as the API writes times. */
  since?: string | undefined;
  until?: string | undefined;
};

/** The account's audit entries, newest first. */
export function auditLogQuery(accountId: string, filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', accountId, filter],
    queryFn: ({ pageParam: older, signal }) =>
      read<AuditPage>(accountId, `audit-log?${auditSearch(filter, older)}`, signal),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => last.older,
    placeholderData: keepPreviousData,
  });
}

/** The filter as the API names it. @param more such as the format of an export */
export function auditSearch(
  filter: AuditFilter,
  cursor: string | null,
  more: Record<string, string> = {},
): string {
  const { actor, action, target, withinMs, since, until } = filter;
  return toQueryString({
    ...more,
    actor,
    action,
    target,
    since: withinMs === undefined ? since : formatApiTime(new Date(Date.now() - withinMs)),
    until,
    cursor,
  });
}

/** What was changed about a key or webhook, newest first. */
export function changesQuery(accountId: string, of: ChangesOf) {
  const path = `${of.kind}/${encodeURIComponent(of.uuid)}/changes`;
  return infiniteQueryOptions({
    queryKey: ['changes', accountId, of.uuid],
    queryFn: ({ pageParam: cursor, signal }) =>
      read<ChangesPage>(accountId, `${path}?${toQueryString({ cursor })}`, signal),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => last.older,
  });
}

/** A key or webhook. */
export type ChangesOf = { kind: 'api-keys' | 'webhooks'; uuid: string };
