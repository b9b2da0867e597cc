import { HydrationBoundary } from '@tanstack/react-query';

import { RotationRequestsBanner } from '#components/api-keys/rotation-requests/rotation-requests-banner.tsx';
import type { Session } from '#lib/contract/dashboard.ts';

import { rotationRequestsState } from './settings/api-keys/rotation-requests-state.ts';

/**
 * Who asks this person to rotate a key, read while the page is. It is a component of its own so that
 * the page does not wait until this is read.
 */
export async function RotationRequestsNotice({ session }: { session: Session }) {
  return (
    <HydrationBoundary state={await rotationRequestsState(session)}>
      <RotationRequestsBanner session={session} />
    </HydrationBoundary>
  );
}
