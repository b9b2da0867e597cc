'use client';

import { useInfiniteQuery } from '@tanstack/react-query';

import { Section } from '#components/shell/section.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';

import { DeliveryTable, DeliveryTableSkeleton } from './delivery-table.tsx';
import { SendTest, TestOutcome, useTestSending } from './send-test.tsx';
import { WebhooksFailure } from './webhooks-failure.tsx';

type DeliveriesProps = {
  webhook: Webhook;
  accountId: string;
  /** As the page's address names the webhook. */
  reference: string;
  role: Role;
  now: Date;
};

/** What was sent to the webhook, as it happens, and the way to send it a test. */
export function Deliveries({ webhook, accountId, reference, role, now }: DeliveriesProps) {
  const { data, error, ...reading } = useInfiniteQuery({
    ...deliveriesQuery(accountId, reference),
    refetchInterval: ({ state }) =>
      state.status === 'error' ? AFTER_FAILURE_MS : LIVE_MS * (state.data?.pages.length ?? 1),
  });
  const deliveries = data?.pages.flatMap((page) => page.deliveries);
  const sending = useTestSending(webhook, () => void reading.refetch());
  const { sent } = sending;
  const test = sent && (deliveries?.find(({ uuid }) => uuid === sent.uuid) ?? sent);

  return (
    <Section
      title="Deliveries"
      action={mayAct(role, 'webhooks.replay') && <SendTest sending={sending} webhook={webhook} />}
    >
      <TestOutcome sending={sending} current={test} />
      {error && (
        <WebhooksFailure
          what="deliveries"
          error={error}
          failedAt={reading.errorUpdatedAt}
          readAt={data ? reading.dataUpdatedAt : null}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      )}
      {deliveries === undefined && !error && <DeliveryTableSkeleton />}
      {deliveries?.length === 0 && (
        <EmptyState isQuiet title="Nothing was sent yet">
          As soon as one of its events happens, it stands here with what your server answered.
        </EmptyState>
      )}
      {deliveries !== undefined && deliveries.length > 0 && (
        <>
          <DeliveryTable deliveries={deliveries} webhook={webhook} now={now} />
          <div className="flex min-h-control-small flex-wrap items-center justify-between gap-3 text-small text-ink-3">
            Newest first.
            {reading.hasNextPage && (
              <Button
                size="small"
                pending={reading.isFetchingNextPage}
                onClick={() => void reading.fetchNextPage()}
              >
                Load older
              </Button>
            )}
          </div>
        </>
      )}
    </Section>
  );
}

/** A page of them costs a call each time, so the more are shown the slower it goes. */
const LIVE_MS = 3000;
const AFTER_FAILURE_MS = 30_000;
