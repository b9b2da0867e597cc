import 'server-only';

import { cache } from 'react';

import { listRotationRequests } from '#lib/api/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct } from '#lib/contract/roles.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';

/** The requests for rotations, read beforehand, so that none pushes the page down after it is seen. */
export async function rotationRequestsState({
  account,
  role,
  lacks_second_factor: lacksSecondFactor,
}: Session): Promise<string | null> {
  if (lacksSecondFactor || !mayAct(role, 'api-keys.rotate')) return null;
  return await prefetch(rotationRequestsQuery(account.id), listOnce);
}

/** The layout asks as well as some of its pages. */
const listOnce = cache(listRotationRequests);
