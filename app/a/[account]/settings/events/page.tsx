import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { EventsPage } from '#components/events/events-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { sentEventTypes } from '#lib/contract/deliveries/delivery.ts';
import { memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import { eventsQuery } from '#lib/queries/events.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../page-titles.ts';

export default async function EventsSettingsPage() {
  const session = await requireSession();
  const { id } = session.account;
  // If the URL has filters, the browser reads the events itself.
  const state = await prefetch(eventsQuery(id, {}), webhooksQuery(id));
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.events}</PageTitle>
      <NuqsAdapter>
        <EventsPage accountId={id} rights={memberRightsOf(session)} types={sentEventTypes} />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
