import { infiniteQueryOptions } from '@tanstack/react-query';
import type { RouteQueryInput } from '../contract/route.ts';
import type { Routes } from '../contract/routes.ts';
import { liveList, type TimeFilter, timeQuery } from './live-list.ts';
import { cursorOf, routePages } from './route-query.ts';

/** Which audit entries to read; a filter that is left out matches all. */
export type AuditFilter = TimeFilter & {
  /** The id of a person, the UUID of a key, or a kind of actor. */
  actor?: string | undefined;
  /** An action, or the first part of the names of several actions. */
  action?: string | undefined;
  target?: string | undefined;
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
    ...liveList(4000),
  });
}

/** The filter as the API names it, at this time. */
export function auditSearch({ actor, action, target, ...time }: AuditFilter): AuditSearch {
  return { actor, action, target, ...timeQuery(time) };
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
