import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/** The open requests, so that their banner moves nothing. None for people who may not read them. */
export function rotationRequestQueries({
  account,
  lacks_second_factor: lacksSecondFactor,
}: Session) {
  return lacksSecondFactor ? [] : [routeQuery(account.id, 'listRotationRequests')];
}
