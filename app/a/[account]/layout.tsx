import type { ReactNode } from 'react';
import { SecondFactorGate } from '#components/person/security/second-factors/second-factor-gate.tsx';
import { Frame } from '#components/shell/frame/frame.tsx';
import { LazyVisitBanner } from '#components/shell/installation-support/lazy-visit-banner.tsx';
import { requireSession } from '#lib/session/session.ts';
import packageFile from '#package.json' with { type: 'json' };
import { LazyOpenAccount } from './lazy-open-account.tsx';
import { PreloadedAccountFailure } from './lazy-account-failure.tsx';
import { NextPageSkeleton } from './next-page-skeleton.tsx';
import { PagePrefetcher } from './page-prefetcher.tsx';
import { RotationRequestsNotice } from './rotation-requests-notice.tsx';

/** The layout of an account's pages, for members, and installation support that gave a reason. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  return (
    <PagePrefetcher session={session}>
      <Frame session={session} version={packageFile.version} skeleton={<NextPageSkeleton />}>
        {session.needs_reason ? (
          <LazyOpenAccount shouldLoad session={session} />
        ) : (
          <SecondFactorGate session={session}>
            {session.visit && <LazyVisitBanner session={session} visit={session.visit} />}
            <RotationRequestsNotice session={session} />
            {children}
          </SecondFactorGate>
        )}
        <PreloadedAccountFailure />
      </Frame>
    </PagePrefetcher>
  );
}
