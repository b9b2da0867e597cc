'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';

import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { Delivery, DeliveryWithAttempts } from '#lib/contract/deliveries/delivery.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';
import { formatMilliseconds } from '#lib/time.ts';

import { attemptSentence } from '../delivery/attempt-sentence.ts';
import { webhookPath } from '../webhook-path.ts';

type TestResultProps = {
  /** The delivery of the latest test, as it was made. Null: none was sent yet. */
  sent: Delivery | null;
  webhook: Webhook;
  accountId: string;
  /** Called when the link to the delivery is followed. */
  onLeave: () => void;
};

/**
 * The result of a test, with a link to its delivery. Its space is reserved before anything is sent.
 */
export function TestResult({ sent, webhook, accountId, onLeave }: TestResultProps) {
  const { data } = useQuery({
    ...deliveryQuery(accountId, sent?.uuid ?? ''),
    enabled: sent !== null,
  });
  const delivery = sent === null ? null : (data ?? { ...sent, attempts: [] });
  return (
    <div className="flex min-h-20.5 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-3 border border-line px-3.5 py-2.5">
      <div role="status" aria-label="Result of the test" className="min-w-0 flex-1 basis-48">
        {delivery === null ? (
          <p className="text-ink-3">Your server’s response is shown here.</p>
        ) : (
          <Outcome delivery={delivery} />
        )}
      </div>
      {delivery && (
        <PageLink
          href={`${webhookPath(webhook, 'deliveries')}?delivery=${delivery.uuid}`}
          extent="tab"
          onClick={onLeave}
          className="link inline-flex min-h-6 items-center gap-1 pointer-coarse:min-h-11"
        >
          Open delivery
          <ArrowRight aria-hidden className="icon-14" />
        </PageLink>
      )}
    </div>
  );
}

function Outcome({ delivery }: { delivery: DeliveryWithAttempts }) {
  const { status } = delivery;
  if (status === 'pending') return <Status mark="waiting">Sending now</Status>;
  if (status === 'cancelled') return <Status mark="ended">Cancelled</Status>;
  const attempt = delivery.attempts.at(-1);
  return (
    <>
      {status === 'delivered' ? (
        <Status mark="ok">Delivered</Status>
      ) : (
        <Status mark="failed">Not delivered</Status>
      )}
      {attempt && (
        <p className="mt-0.5 pl-[21px] text-small text-pretty text-ink-2">
          {attemptSentence(attempt)} It took {formatMilliseconds(attempt.duration_ms)}, at{' '}
          <ExactTime value={attempt.started_at} form="clock" />.
        </p>
      )}
    </>
  );
}
