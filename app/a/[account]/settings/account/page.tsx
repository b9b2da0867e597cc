import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';

import { YourAccount } from '#components/account/your-account.tsx';
import { listSessions } from '#lib/api/session.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { sessionsQuery } from '#lib/queries/session.ts';
import { requireSession } from '#lib/session.ts';

export const metadata: Metadata = { title: 'Your account' };

export default async function YourAccountPage() {
  const session = await requireSession();
  const state = await prefetch(sessionsQuery(session), listSessions);
  return (
    <HydrationBoundary state={state}>
      <YourAccount session={session} />
    </HydrationBoundary>
  );
}
