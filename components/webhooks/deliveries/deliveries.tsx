'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';

import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';
import { pageRefetchInterval, refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { whilePermitted } from '#lib/queries/while-permitted.ts';

import { ReplayButton } from '../replays/replay-button.tsx';
import { ReplayProgress } from '../replays/replay-progress.tsx';
import { deliveriesHeadingId } from '../webhook-path.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryTableSkeleton } from './delivery-columns.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { toDeliveryFilter, isFiltered } from './delivery-view.ts';
import { NoDeliveries } from './no-deliveries.tsx';
import { useCurrentHealth } from './use-current-health.ts';
import { parseDeliverySearch } from './parse-delivery-search.ts';
import { useDeliveryView, useOpenDelivery } from './use-delivery-view.ts';

type DeliveriesProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  rights: MemberRights;
};

/** The deliveries of a webhook, updated live, with a button to replay a window. */
export function Deliveries({ webhook, accountId, reference, rights }: DeliveriesProps) {
  const [view, change] = useDeliveryView();
  const [opened, open] = useOpenDelivery();
  const isSearchable = parseDeliverySearch(view.q) !== null;
  const { data, ...reading } = useInfiniteQuery({
    ...deliveriesQuery(accountId, reference, toDeliveryFilter(view)),
    enabled: isSearchable,
    refetchInterval: ({ state }) =>
      refetchDelay(state.error, refetchMs * (state.data?.pages.length ?? 1)),
  });
  const { error, older } = useOlderPages(reading);
  const { data: totals } = useQuery({
    ...routeQuery(accountId, 'getDeliveryTotals', { params: { webhook: reference } }),
    refetchInterval: pageRefetchInterval,
  });
  const deliveries = isSearchable
    ? whilePermitted(data, error)?.pages.flatMap((page) => page.data)
    : [];
  useCurrentHealth({
    accountId,
    reference,
    deliveries: reading.isPlaceholderData || !isSearchable ? undefined : deliveries,
  });
  const readAt = useLatestReadTime(reading.dataUpdatedAt);
  const mayReplay = memberMay(rights, 'webhooks.replay');
  const isHealthy = webhook.is_active && webhook.failure_count === 0;

  return (
    <section
      aria-labelledby={deliveriesHeadingId}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3"
    >
      {/* The tab above says the same to whoever sees it. */}
      <h2 id={deliveriesHeadingId} tabIndex={-1} className="sr-only">
        Deliveries
      </h2>
      <DeliveryFilters
        view={view}
        onChange={change}
        totals={totals}
        isShown={isFiltered(view) || deliveries === undefined || deliveries.length > 0}
        action={
          mayReplay && (
            <ReplayButton
              webhook={webhook}
              accountId={accountId}
              mayResume={memberMay(rights, 'webhooks.update')}
            />
          )
        }
      />
      {mayReplay && (
        <ReplayProgress webhook={webhook} accountId={accountId} reference={reference} />
      )}
      {mayReplay && totals && totals.waiting.count > 0 && isHealthy && (
        <Suspense>
          <WaitingDeliveries webhook={webhook} accountId={accountId} waiting={totals.waiting} />
        </Suspense>
      )}
      {error && (
        <ReadFailure
          what="The deliveries"
          shown="them"
          noun="webhooks"
          error={error}
          isShown={deliveries !== undefined}
          reading={reading}
        />
      )}
      {deliveries === undefined && !error && <DeliveryTableSkeleton />}
      {deliveries?.length === 0 && (
        <NoDeliveries
          view={view}
          isActive={webhook.is_active}
          mayTest={memberMay(rights, 'webhooks.test')}
          retentionDays={totals?.retention_days}
          onClear={() => change(null)}
        />
      )}
      {deliveries !== undefined && deliveries.length > 0 && (
        <>
          <DeliveryTable
            deliveries={deliveries}
            webhook={webhook}
            now={new Date(readAt)}
            isStale={reading.isPlaceholderData}
            opened={opened}
            onOpen={open}
          />
          <LoadOlder older={older} what="The older deliveries" noun="webhooks">
            Newest first. Times are in your time zone.
          </LoadOlder>
        </>
      )}
      <LazyDeliveryDrawer
        shouldLoad={opened !== null}
        webhook={webhook}
        accountId={accountId}
        rights={rights}
        uuid={opened}
        onOpen={open}
        listed={deliveries ?? []}
        listedAt={readAt}
        onRetried={() => void reading.refetch()}
      />
    </section>
  );
}

/** The latest time of a read. Placeholder rows that are shown during a read have none. */
function useLatestReadTime(readAt: number): number {
  const [latest, setLatest] = useState(readAt);
  if (readAt > latest) setLatest(readAt);
  return Math.max(readAt, latest);
}

/** Each page costs a request, so the interval grows with the number of pages. */
const refetchMs = 3000;

// Rendered with the page, so that nothing moves, but loaded only where something waits.
const WaitingDeliveries = lazy(async () => {
  const { WaitingDeliveries: Loaded } = await import('../replays/waiting-deliveries.tsx');
  return { default: Loaded };
});

const LazyDeliveryDrawer = lazyComponent(
  async () => (await import('../delivery/delivery-drawer.tsx')).DeliveryDrawer,
);
