import { HydrationBoundary } from '@tanstack/react-query';

import { SecurityPage } from '#components/person/security/security-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { listSessions } from '#lib/api/session.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { sessionsQuery } from '#lib/queries/session.ts';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function SecuritySettingsPage() {
  const session = await requireSession();
  const state = await prefetch(sessionsQuery(session), listSessions);
  return (
    <HydrationBoundary state={state}>
      <PageTitle>{pageTitles.security}</PageTitle>
      <SecurityPage session={session} />
    </HydrationBoundary>
  );
}
