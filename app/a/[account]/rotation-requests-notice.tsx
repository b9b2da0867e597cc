import { RotationRequestsBanner } from '#components/api-keys/rotation-requests/rotation-requests-banner.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestQueries } from './settings/rotation-request-queries.ts';

/**
 * The banner that says who asks this person to rotate a key. It is a component of its own so that
 * the page does not wait for this read.
 */
export async function RotationRequestsNotice({ session }: { session: Session }) {
  return (
    <PrefetchedQueries state={await prefetch(...rotationRequestQueries(session))}>
      <RotationRequestsBanner session={session} />
    </PrefetchedQueries>
  );
}
