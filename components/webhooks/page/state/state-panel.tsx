// Every page renders this once and rarely again: compiled, the file would only be larger.
'use no memo';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, RotateCw, Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { isFailing } from '#components/shell/states/webhook-state.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner, type BannerProps } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { retryDelivery } from '#lib/actions/webhooks.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { AttemptSummary, Delivery } from '#lib/contract/deliveries/delivery.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';
import { webhookStatisticsKey, webhookStatisticsQuery } from '#lib/queries/webhooks.ts';
import { formatMilliseconds, formatRemaining } from '#lib/time.ts';
import { useCurrentHealth } from '../../deliveries/use-current-health.ts';
import { attemptSentence } from '../../delivery/attempt-sentence.ts';
import { isSuccessful } from '../../delivery/is-successful.ts';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { useStatisticsWindow } from '#components/shell/chart/use-statistics-window.ts';
import type { WebhookActions } from '../../actions/webhook-actions.ts';
import { useRefetchAfterRefusal } from '../../use-refetch-after-refusal.ts';
import { firstTestId } from '../../webhook-path.ts';
import { deactivationTime } from '../../inactive-reason.ts';
import { FailingTimeline } from './failing-timeline.tsx';

type StatePanelProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  rights: MemberRights;
  now: Date;
  actions: WebhookActions;
};

/**
 * How an active webhook is doing, with its server’s last response. It is always there and keeps
 * its height, so that nothing moves when the webhook begins to fail or works again.
 */
export function StatePanel({
  webhook,
  accountId,
  reference,
  rights,
  now,
  actions: { onSendTest },
}: StatePanelProps): ReactNode {
  const { failure_count: failures, last_triggered_at: triggered } = webhook;
  const [window] = useStatisticsWindow();
  const { data } = useQuery(webhookStatisticsQuery(accountId, reference, window));
  const span = statisticsWindows[window].long;
  const { tryNow, outcome, ...action } = useTryNow({ accountId, reference });
  const { failedAction } = action;
  if (failures > 0) {
    const next = data?.next_attempt;
    return (
      <Panel
        outcome={outcome}
        {...describeFailures(webhook, now)}
        action={
          next &&
          memberMay(rights, 'webhooks.replay') && (
            <ActionButton
              focusesTitleOnRemoval
              icon={<RotateCw />}
              action={action}
              onClick={() => tryNow(next.delivery.uuid)}
            >
              Try now<span className="sr-only"> to send the next delivery</span>
            </ActionButton>
          )
        }
      >
        <LastResponse
          attempt={data?.last_failure}
          none={`The last failed attempt is older than ${span}.`}
        />
        {isFailing(webhook, now) ? (
          <FailingTimeline webhook={webhook} next={next} now={now} />
        ) : (
          <NextAttempt next={next} now={now} />
        )}
        <LazyFailedActionPanel
          failed={
            failedAction && {
              failedAction,
              notDone: 'The delivery was not resent',
              unknown: 'We could not confirm whether the delivery was resent',
            }
          }
          className="mt-2"
        />
      </Panel>
    );
  }
  if (triggered === null) {
    return (
      <Panel
        title="Nothing has been sent yet"
        isCentered
        action={
          onSendTest && (
            <Button
              id={firstTestId}
              icon={<Send />}
              onClick={({ currentTarget }) => onSendTest(webhook, currentTarget)}
            >
              Send a test event
            </Button>
          )
        }
      >
        <p>Send a test to see how your server responds. Its latest response is shown here.</p>
      </Panel>
    );
  }
  return (
    <Panel outcome={outcome} {...describeLatest(data?.last_attempt)}>
      <WaitingSinceOutage webhook={webhook} deliveries={data?.deliveries} />
      <LastResponse
        attempt={data?.last_attempt}
        none={`The latest attempt is older than ${span}.`}
      />
    </Panel>
  );
}

type WaitingSinceOutageProps = {
  webhook: Webhook;
  deliveries: WebhookStatistics['deliveries'] | undefined;
};

/** After an outage, how many events still wait although the receiver works again. */
function WaitingSinceOutage({ webhook, deliveries }: WaitingSinceOutageProps) {
  if (!deliveries || deliveries.retrying === 0) return null;
  const { total, delivered, failed, cancelled } = deliveries;
  const waiting = countOf(total - delivered - failed - cancelled, 'event');
  return (
    <p>
      <PageLink
        href={`settings/webhooks/${webhook.uuid}/deliveries?status=pending`}
        className="link"
      >
        {waiting} waiting since the outage
      </PageLink>
    </p>
  );
}

type PanelProps = Pick<BannerProps, 'tone' | 'icon' | 'title' | 'action'> & {
  sentence?: ReactNode;
  /** The result of pressing Try now, for screen readers. */
  outcome?: string | null;
  /** Whether the text is in the middle of the height, for a text that does not fill it. */
  isCentered?: boolean;
  children: ReactNode;
};

function Panel({ sentence, outcome, isCentered = false, children, ...banner }: PanelProps) {
  return (
    <Banner
      role="none"
      {...banner}
      className={cn(
        'min-h-41.5 max-sm:min-h-47 sm:@max-[55rem]:min-h-38',
        isCentered && 'content-center',
      )}
    >
      {sentence !== undefined && <p>{sentence}</p>}
      {children}
      <p role="status" className="sr-only">
        {outcome}
      </p>
    </Banner>
  );
}

/**
 * The latest attempt of a webhook without counted failures. If it failed, nothing here tells which
 * of the reasons not to count it applies.
 */
function describeLatest(attempt: AttemptSummary | null | undefined): Omit<PanelProps, 'children'> {
  if (attempt && isSuccessful(attempt)) {
    return { icon: <CircleCheck />, title: 'Working', sentence: 'The latest attempt succeeded.' };
  }
  return {
    title: 'No failures',
    sentence: attempt
      ? 'The latest attempt failed, but it does not count: it was a test or a retry that someone requested, the error was ours, or it was made before the webhook was resumed.'
      : 'No attempt failed since the last success.',
  };
}

/** A single failed attempt is not worth a warning: it is retried. */
function describeFailures(webhook: Webhook, now: Date): Omit<PanelProps, 'children'> {
  const { failure_count: failures, failing_since: since } = webhook;
  const count = countOf(failures, 'attempt has', 'attempts have');
  if (!isFailing(webhook, now)) {
    return {
      title: (
        <>
          {count} failed
          {since !== null && (
            <>
              {' '}
              since <ExactTime value={since} />
            </>
          )}
        </>
      ),
      sentence: 'Failed deliveries are retried automatically.',
    };
  }
  const end = deactivationTime(webhook);
  return {
    tone: 'warn',
    title:
      since === null ? (
        'Failing'
      ) : (
        <>
          Failing since <ExactTime value={since} />
        </>
      ),
    sentence: `${count} failed since then.${
      end === null || end <= now
        ? ' Unless an attempt succeeds, the next failure may deactivate it.'
        : ''
    }`,
  };
}

/** When something is sent again. Its line is there before that is known. */
function NextAttempt({ next, now }: { next: NextAttemptOfWebhook | undefined; now: Date }) {
  return <p className="mt-1.5 min-h-4.5">{next !== undefined && describeNext(next, now)}</p>;
}

type NextAttemptOfWebhook = WebhookStatistics['next_attempt'];

function describeNext(next: NextAttemptOfWebhook, now: Date): ReactNode {
  if (next === null) return 'No deliveries are waiting for another attempt.';
  const at = new Date(next.at);
  if (at <= now) return 'The next attempt is due now.';
  return (
    <>
      Next attempt in <strong className="font-medium text-ink">{formatRemaining(at, now)}</strong>,
      on <ExactTime value={next.at} form="seconds" />.
    </>
  );
}

type TryNowInput = {
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** Sends a delivery of a webhook immediately, and reads its health again as soon as it was sent. */
function useTryNow({ accountId, reference }: TryNowInput) {
  const client = useQueryClient();
  const { run, ...action } = useAction();
  const onNotDone = useRefetchAfterRefusal(accountId);
  const [tried, setTried] = useState<Delivery | null>(null);
  const { data } = useQuery({
    ...deliveryQuery(accountId, tried?.uuid ?? ''),
    enabled: tried !== null,
  });
  const current = data ?? tried;
  useCurrentHealth({ accountId, reference, deliveries: current ? [current] : undefined });

  function tryNow(uuid: string) {
    run(() => retryDelivery({ params: { delivery: uuid } }), {
      onNotDone,
      onDone: ({ data: delivery }) => {
        setTried(delivery);
        void client.invalidateQueries({ queryKey: webhookStatisticsKey(accountId, reference) });
      },
    });
  }

  return { ...action, tryNow, outcome: tried && data ? describeOutcome(tried, data) : null };
}

/** Null while the attempt is in progress. */
function describeOutcome(tried: Delivery, latest: Delivery): string | null {
  if (latest.attempt_count === tried.attempt_count) return null;
  return latest.status === 'delivered' ? 'The attempt succeeded.' : 'The attempt failed.';
}

type LastResponseProps = {
  /** Undefined until it is read. */
  attempt: AttemptSummary | null | undefined;
  /** Shown if there is no response. */
  none: string;
};

/** The response to an attempt. The line is there before the attempt is read. */
function LastResponse({ attempt, none }: LastResponseProps) {
  return (
    <p className="mt-1.5 flex min-h-8 flex-wrap items-baseline gap-x-2 rounded-2 bg-fill-active px-2.5 py-1.5 text-ink">
      {attempt ? (
        <>
          <Quotation attempt={attempt} />
          <span className="text-ink-2">
            Attempt of <ExactTime value={attempt.started_at} form="moment" />, after{' '}
            {formatMilliseconds(attempt.duration_ms)}
          </span>
        </>
      ) : (
        attempt === null && none
      )}
    </p>
  );
}

/** The message of the server's response, or else the result of the attempt as a sentence. */
function Quotation({ attempt }: { attempt: AttemptSummary }) {
  const { status_code: code, error, body_excerpt: excerpt } = attempt;
  if (error !== null || excerpt === null || attempt.redirects_to !== null) {
    return <span className="wrap-anywhere">{attemptSentence(attempt)}</span>;
  }
  return (
    <>
      <Code>{code}</Code>
      <span className="line-clamp-2 min-w-0 wrap-anywhere">{excerpt}</span>
    </>
  );
}
