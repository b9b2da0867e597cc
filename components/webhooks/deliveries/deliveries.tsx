import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { lazy, Suspense, useRef, useState } from 'react';
import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { useOpened } from '#components/shell/page/use-opened.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { lazyDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { useEventTypes } from '../event-types.tsx';
import type { FollowedReplayProps } from '../replays/followed-replay.tsx';
import { useFollowedReplay } from '../replays/use-followed-replay.ts';
import { inactiveReason } from '../inactive-reason.ts';
import { deliveriesHeadingId } from '../webhook-path.ts';
import { DeliveryTableSkeleton } from './delivery-columns.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import {
  type DeliveryView,
  eventChoicesOf,
  isFiltered,
  replayedChoices,
  sinceChoices,
  statusChoices,
  toDeliveryFilter,
} from './delivery-view.ts';
import { parseDeliverySearch } from './parse-delivery-search.ts';
import { useCurrentHealth } from './use-current-health.ts';

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
  const [opened, open] = useOpened('delivery', parseAsString);
  const isSearchable = parseDeliverySearch(view.q) !== null;
  const { read, older } = useOlderPages(
    useInfiniteQuery({
      ...deliveriesQuery(accountId, reference, toDeliveryFilter(view)),
      enabled: isSearchable,
    }),
  );
  const { data, error } = read;
  const { data: totals } = useQuery({
    ...routeQuery(accountId, 'getDeliveryTotals', { params: { webhook: reference } }),
    refetchInterval: pageRefetchInterval,
  });
  const deliveries = isSearchable
    ? dataIfPermitted(data, error)?.pages.flatMap((page) => page.data)
    : [];
  useCurrentHealth({
    accountId,
    reference,
    deliveries: read.isPlaceholderData || !isSearchable ? undefined : deliveries,
  });
  const readAt = useLatestReadTime(read.dataUpdatedAt);
  const mayReplay = memberMay(rights, 'webhooks.replay');
  const isHealthy = webhook.is_active && webhook.failure_count === 0;

  return (
    <section
      aria-labelledby={deliveriesHeadingId}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3"
    >
      {/* The tab above shows the same to people who see it. */}
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
          <WaitingDeliveries webhook={webhook} accountId={accountId} waiting={totals.pending} />
        </Suspense>
      )}
      <ReadFailure what="The deliveries" shown="them" noun="webhooks" read={read} />
      {deliveries === undefined && !error && <DeliveryTableSkeleton />}
      {deliveries?.length === 0 && (
        <Suspense>
          <NoDeliveries
            view={view}
            isActive={webhook.is_active}
            mayTest={memberMay(rights, 'webhooks.test')}
            retentionDays={totals?.retention_days}
            onClear={() => change(null)}
          />
        </Suspense>
      )}
      {deliveries !== undefined && deliveries.length > 0 && (
        <>
          <DeliveryTable
            deliveries={deliveries}
            webhookName={webhook.name}
            isWebhookActive={webhook.is_active}
            now={new Date(readAt)}
            isStale={read.isPlaceholderData}
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
        onRetried={() => void read.refetch()}
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

// Both are rendered with the page, so that nothing moves, but loaded only where they are shown.
const WaitingDeliveries = lazy(async () => {
  const { WaitingDeliveries: Loaded } = await import('../replays/waiting-deliveries.tsx');
  return { default: Loaded };
});

const NoDeliveries = lazy(async () => {
  const { NoDeliveries: Loaded } = await import('./no-deliveries.tsx');
  return { default: Loaded };
});

const LazyDeliveryDrawer = lazyComponent(
  async () => (await import('../delivery/delivery-drawer.tsx')).DeliveryDrawer,
);

function ReplayProgress(props: FollowedReplayProps) {
  const [uuid] = useFollowedReplay();
  return <Followed shouldLoad={uuid !== null} {...props} />;
}

const Followed = lazyComponent(
  async () => (await import('../replays/followed-replay.tsx')).FollowedReplay,
);

/** The filters of the table, stored in the URL so that links and reload keep them. */
function useDeliveryView(): [
  view: DeliveryView,
  change: (change: Partial<DeliveryView> | null, options?: { history: 'push' }) => void,
] {
  const [view, setView] = useQueryStates(parsersFor(useEventTypes()));

  function change(part: Partial<DeliveryView> | null, options?: { history: 'push' }) {
    const hidden = part?.q === undefined ? part : { ...part, q: hideSecrets(part.q) };
    changeAddress(setView(hidden, options));
  }

  return [view, change];
}

function parsersFor(types: readonly EventType[]) {
  return {
    q: parseAsString.withDefault(''),
    status: parseAsStringLiteral(statusChoices).withDefault('any'),
    event: parseAsStringLiteral(eventChoicesOf(types)).withDefault('any'),
    replayed: parseAsStringLiteral(replayedChoices).withDefault('any'),
    since: parseAsStringLiteral(sinceChoices).withDefault('any'),
    from: parseAsIsoDateTime,
    to: parseAsIsoDateTime,
  };
}

type ReplayButtonProps = { webhook: Webhook; accountId: string; mayResume: boolean };

/** Opens the dialog that starts a replay. The page then shows its progress. */
function ReplayButton({ webhook, accountId, mayResume }: ReplayButtonProps) {
  // Compiled for memoization, it would be larger.
  'use no memo';
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const [, follow] = useFollowedReplay();
  return (
    <>
      <Button
        ref={button}
        icon={<History />}
        disabledReason={inactiveReason(webhook, mayResume)}
        onClick={() => setIsOpen(true)}
      >
        Replay a window
      </Button>
      <LazyReplayDialog
        isOpen={isOpen}
        webhook={webhook}
        finalFocus={button}
        onClose={() => setIsOpen(false)}
        onStarted={(replay) => {
          client.setQueryData(
            routeQuery(accountId, 'getReplay', { params: { replay: replay.uuid } }).queryKey,
            replay,
          );
          follow(replay.uuid);
          setIsOpen(false);
        }}
        onFollow={(uuid) => {
          follow(uuid);
          setIsOpen(false);
        }}
      />
    </>
  );
}

const LazyReplayDialog = lazyDialog(
  async () => (await import('../replays/replay-dialog.tsx')).ReplayDialog,
);
