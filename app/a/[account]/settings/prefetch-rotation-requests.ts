import 'server-only';

import { cache } from 'react';

import { listRotationRequests } from '#lib/api/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { Prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';

/**
 * Reads the open requests, so that their banner does not push the page down after it is
 * shown. Empty for a person who may not read them.
 */
export function prefetchRotationRequests({
  account,
  lacks_second_factor: lacksSecondFactor,
}: Session): readonly Prefetch[] {
  if (lacksSecondFactor) return [];
  return [[rotationRequestsQuery(account.id), listOnce]];
}

/** Cached, because the layout and some of its pages need the same read. */
const listOnce = cache(listRotationRequests);
