import { RotationRequestsBanner } from '#components/api-keys/rotation-requests/rotation-requests-banner.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestQueries } from './settings/rotation-request-queries.ts';

/** Who asks this person to rotate a key. Apart, so that the page does not wait for it. */
export async function RotationRequestsNotice({ session }: { session: Session }) {
  return (
    <PrefetchedQueries state={await prefetch(...rotationRequestQueries(session))}>
      <RotationRequestsBanner session={session} />
    </PrefetchedQueries>
  );
}
