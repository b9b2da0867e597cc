import 'server-only';

import { cache } from 'react';

import { listRotationRequests } from '#lib/api/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';

/**
 * Reads the rotation requests on the server, so that their banner does not push the page down after
 * it is shown.
 */
export async function rotationRequestsState({
  account,
  role,
  lacks_second_factor: lacksSecondFactor,
}: Session): Promise<string | null> {
  if (lacksSecondFactor || !mayAct(role, 'api-keys.rotate')) return null;
  return await prefetch(rotationRequestsQuery(account.id), listOnce);
}

/** Cached, because the layout and some of its pages need the same read. */
const listOnce = cache(listRotationRequests);
