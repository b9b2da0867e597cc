import type { ReactNode } from 'react';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { DeskFrame } from '#components/support-desk/frame/desk-frame.tsx';
import { deskRequestsQuery } from '#lib/queries/requests.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import packageFile from '#package.json' with { type: 'json' };
import { requireDesk } from './desk.ts';

/** The layout of the support desk, which covers all accounts of a person: its URLs name none. */
export default async function SupportLayout({ children }: { children: ReactNode }) {
  const desk = await requireDesk();
  const waiting = await prefetch(deskRequestsQuery(desk.person.id, 'open'));
  return (
    <PrefetchedQueries state={waiting}>
      <DeskFrame desk={desk} version={packageFile.version}>
        {children}
      </DeskFrame>
    </PrefetchedQueries>
  );
}
