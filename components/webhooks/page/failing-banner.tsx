'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';

import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhook-statistics.ts';
import { formatApiTime, formatMilliseconds, formatRemaining } from '#lib/time.ts';

import { attemptSentence } from '../deliveries/attempt-sentence.ts';
import { statisticsWindows } from '../health/statistics-windows.ts';
import { useStatisticsWindow } from '../health/use-statistics-window.ts';
import { deactivationTime } from '../webhook-conditions.ts';

type FailingBannerProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  now: Date;
};

/** Since when a webhook has been failing, what its server last answered, and what comes of it. */
export function FailingBanner({ webhook, accountId, reference, now }: FailingBannerProps) {
  const { failure_count: failures, failing_since: since } = webhook;
  const end = deactivationTime(webhook);
  const count =
    failures === 1 ? '1 attempt has' : `${failures.toLocaleString('en-GB')} attempts have`;
  return (
    <Banner
      role="none"
      tone="warn"
      title={
        since === null ? (
          'Failing'
        ) : (
          <>
            Failing since <ExactTime value={since} />
          </>
        )
      }
    >
      <p>
        {count} failed since the last success.{' '}
        {end === null || end <= now ? (
          'Unless an attempt succeeds, the next failure may deactivate it.'
        ) : (
          <>
            Unless an attempt succeeds, it is deactivated in{' '}
            <strong className="font-medium text-ink">{formatRemaining(end, now)}</strong>, on{' '}
            <ExactTime value={formatApiTime(end)} />.
          </>
        )}
      </p>
      <LastFailure accountId={accountId} reference={reference} />
    </Banner>
  );
}

/** Shown in place of `FailingBanner` once an attempt succeeded, until the page is left. */
export function WorkingAgain({ accountId, reference }: FailingBannerProps) {
  return (
    <Banner role="none" icon={<CircleCheck />} title="Working again">
      <p>An attempt succeeded. The last failed one got this answer:</p>
      <LastFailure accountId={accountId} reference={reference} />
    </Banner>
  );
}

/** What the latest failed attempt got. Its line is there before the answer is known. */
function LastFailure({
  accountId,
  reference,
}: Pick<FailingBannerProps, 'accountId' | 'reference'>) {
  const [window] = useStatisticsWindow();
  const { data } = useQuery(webhookStatisticsQuery(accountId, reference, window));
  return (
    <p className="mt-1.5 flex min-h-8 flex-wrap items-baseline gap-x-2 rounded-2 bg-fill-active px-2.5 py-1.5 text-ink">
      {data?.last_failure ? (
        <>
          {data.last_failure.status_code !== null && (
            <span className="code">{data.last_failure.status_code}</span>
          )}
          <span>{attemptSentence(data.last_failure)}</span>
          <span className="text-ink-2">
            Attempt of <ExactTime value={data.last_failure.started_at} form="moment" />, after{' '}
            {formatMilliseconds(data.last_failure.duration_ms)}
          </span>
        </>
      ) : (
        data && `The last failed attempt is older than ${statisticsWindows[window].long}.`
      )}
    </p>
  );
}
