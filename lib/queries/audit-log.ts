import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { RouteQueryInput } from '../contract/route.ts';
import type { Routes } from '../contract/routes.ts';
import { formatApiTime } from '../time.ts';
import { cursorOf, routePages } from './route-query.ts';

/** Which audit entries to read; a filter that is left out matches all. */
export type AuditFilter = {
  /** The id of a person, the UUID of a key, or a kind of actor. */
  actor?: string | undefined;
  /** An action, or the first part of the names of several actions. */
  action?: string | undefined;
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
    ...routePages(accountId, 'listAuditEntries', {
      key: filter,
      inputOf: (cursor) => ({
        query: { ...auditSearch(filter), ...cursorOf(cursor), limit: cursor === null ? 50 : 100 },
      }),
    }),
    placeholderData: keepPreviousData,
  });
}

/** The filter as the API names it, at this time. */
export function auditSearch({ withinMs, ...filter }: AuditFilter): AuditSearch {
  return withinMs === undefined
    ? filter
    : { ...filter, since: formatApiTime(new Date(Date.now() - withinMs)) };
}

type AuditSearch = Omit<RouteQueryInput<Routes['listAuditEntries']>, 'cursor' | 'limit' | 'follow'>;

/** What was changed about a key or webhook, newest first: ten changes, and then fifty at a time. */
export function changesQuery(accountId: string, { kind, uuid }: ChangesOf) {
  const queryOf = (cursor: string | null) => ({
    ...cursorOf(cursor),
    limit: cursor === null ? 10 : 50,
  });
  return kind === 'api-keys'
    ? routePages(accountId, 'listChangesOfKey', {
        inputOf: (cursor) => ({ params: { apiKey: uuid }, query: queryOf(cursor) }),
      })
    : routePages(accountId, 'listChangesOfWebhook', {
        inputOf: (cursor) => ({ params: { webhook: uuid }, query: queryOf(cursor) }),
      });
}

export type ChangesOf = { kind: 'api-keys' | 'webhooks'; uuid: string };
