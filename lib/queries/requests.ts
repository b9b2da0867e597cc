import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { RotationRequestState } from '../contract/api-keys/rotation-reasons.ts';
import { cursorOf, routePages, routeQuery } from './route-query.ts';

/** The requests that the person can see in the account, with their outcomes, newest first. */
export function rotationRequestHistoryQuery(accountId: string) {
  return routePages(accountId, 'listRotationRequestHistory', {
    inputOf: (cursor) => ({ query: cursorOf(cursor) }),
  });
}

/** What needs attention in all accounts that the person can open. */
export function attentionQuery(personId: string) {
  return routeQuery({ person: { id: personId } }, 'listAttention');
}

/** The requests that the person made in accounts they can open, newest first. Null: any state. */
export function deskRequestsQuery(personId: string, state: RotationRequestState | null) {
  return infiniteQueryOptions({
    ...routePages({ person: { id: personId } }, 'listDeskRequests', {
      inputOf: (cursor) => ({ query: { ...(state !== null && { state }), ...cursorOf(cursor) } }),
    }),
    placeholderData: keepPreviousData,
  });
}
