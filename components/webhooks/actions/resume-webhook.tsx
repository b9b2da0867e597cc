'use client';

import { RefreshCw } from 'lucide-react';
import { useRef, useState, useTransition } from 'react';

import { cancelDisabledReason } from '#components/shell/actions/cancel-disabled-reason.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '#components/shell/feedback/rate-limit-notice.tsx';
import {
  isIdentityPromptCancelled,
  useRunAction,
} from '#components/shell/actions/use-run-action.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import {
  type ActionFailure,
  type ActionResult,
  isOutcomeUnknown,
} from '#lib/actions/action-result.ts';
import { countMissedEvents, updateWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';

import { WholeAddress } from '../address.tsx';
import { failureText } from '../failure-text.ts';
import { deactivationReason } from '../webhook-conditions.ts';

/** How many events happened while the webhook was inactive, or why they could not be counted. */
export type MissedEventCount = ActionResult<{ count: number }>;

type ResumeWebhookProps = {
  webhook: Webhook;
  missed: MissedEventCount;
  finalFocus: FocusTarget;
  onClose: () => void;
  /** Called with the resumed webhook. */
  onResumed: (webhook: Webhook) => void;
};

type Backlog = 'deliver' | 'skip';

/**
 * The dialog to resume a webhook. It asks whether to deliver or skip the events that happened
 * meanwhile.
 */
export function ResumeWebhook({ webhook, finalFocus, onClose, ...props }: ResumeWebhookProps) {
  const [missed, setMissed] = useState(props.missed);
  const [backlog, setBacklog] = useState<Backlog>('deliver');
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(() => deadlineOf(props.missed));
  const [isPending, startTransition] = useTransition();
  const [isCounting, startCounting] = useTransition();
  const runAction = useRunAction();
  const cancel = useRef<HTMLButtonElement>(null);
  const secondsLeft = useSecondsLeft(deadline);
  const hasChoice = missed.ok && missed.count > 0;

  function resume() {
    setFailure(null);
    startTransition(async () => {
      const input = { is_active: true, ...(hasChoice && { backlog }) };
      const result = await runAction(() => updateWebhook(webhook.uuid, input));
      if (result.ok) props.onResumed(result.webhook);
      else if (!isIdentityPromptCancelled(result)) handleFailure(result);
    });
  }

  function handleFailure(result: ActionFailure) {
    if (result.code === 'RATE_LIMIT_EXCEEDED') setDeadline(deadlineOf(result));
    else setFailure(result);
  }

  function countAgain() {
    startCounting(async () => {
      const result = await runAction(() =>
        countMissedEvents(webhook.uuid, webhook.inactive_since ?? ''),
      );
      if (!result.ok && isIdentityPromptCancelled(result)) return;
      setMissed(result);
      setDeadline(deadlineOf(result));
    });
  }

  return (
    <Dialog
      open
      onClose={onClose}
      isLocked={isPending}
      title={`Resume ${webhook.name}`}
      sentence="From now on it is sent events again."
      initialFocus={cancel}
      finalFocus={finalFocus}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabledReason={cancelDisabledReason(isPending)}>
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={isPending}
            disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
            onClick={resume}
            className="min-w-0 shrink max-sm:flex-[2]!"
          >
            <span className="truncate">
              {hasChoice ? LABELS[backlog] : `Resume ${webhook.name}`}
            </span>
          </Button>
        </>
      }
    >
      <Facts facts={factsOf(webhook, missed)} />
      {hasChoice && (
        <RadioCards
          legend="Events since then"
          name="backlog"
          cards={backlogChoices(missed.count)}
          value={backlog}
          onChange={setBacklog}
        />
      )}
      <RateLimitNotice keepsInput={hasChoice} deadline={deadline} />
      {!missed.ok && secondsLeft === 0 && (
        <Banner
          tone="warn"
          title="The events since then could not be counted"
          action={
            <Button icon={<RefreshCw />} pending={isCounting} onClick={countAgain}>
              Count again
            </Button>
          }
        >
          {failureText(missed)}
          {missed.requestId !== undefined && (
            <>
              {' '}
              Request <span className="code">{missed.requestId}</span>
            </>
          )}{' '}
          Resumed without a count, the webhook goes on with what waits for another attempt; the
          events since then are not sent.
        </Banner>
      )}
      {failure && (
        <ErrorPanel
          title={
            isOutcomeUnknown(failure)
              ? `It is unknown whether ${webhook.name} was resumed`
              : `${webhook.name} was not resumed`
          }
          message={
            isOutcomeUnknown(failure)
              ? `${failure.message} Trying again is safe.`
              : failureText(failure)
          }
          requestId={failure.requestId}
        />
      )}
    </Dialog>
  );
}

const LABELS: Record<Backlog, string> = {
  deliver: 'Resume and deliver',
  skip: 'Resume and skip',
};

function deadlineOf(result: MissedEventCount): Deadline | null {
  if (result.ok || result.code !== 'RATE_LIMIT_EXCEEDED') return null;
  return deadlineAfter(result.retryAfter);
}

function factsOf(webhook: Webhook, missed: MissedEventCount): Fact[] {
  const isPaused = webhook.status === 'paused';
  const since = webhook.inactive_since;
  return [
    { label: 'Address', value: <WholeAddress url={webhook.url} /> },
    {
      label: isPaused ? 'Paused' : 'Deactivated',
      value: (
        <>
          {since !== null && <ExactTime value={since} />}
          {!isPaused && (
            <span className="block text-small text-pretty text-ink-3">
              {deactivationReason(webhook.inactive_reason)}
            </span>
          )}
        </>
      ),
    },
    ...(missed.ok ? [{ label: 'Since then', value: describeMissedEvents(missed.count) }] : []),
  ];
}

function backlogChoices(count: number) {
  return [
    {
      value: 'deliver',
      label: 'Deliver them',
      description:
        count === 1
          ? 'It is sent to the address, beside what happens from now on.'
          : `All ${count.toLocaleString('en-GB')} are sent to the address, beside what happens from now on.`,
    },
    {
      value: 'skip',
      label: 'Skip them',
      description: `${count === 1 ? 'It is not sent' : 'None of them is sent'}, and what waited for another attempt is given up.`,
    },
  ] as const;
}

function describeMissedEvents(count: number): string {
  return `${count.toLocaleString('en-GB')} matching ${count === 1 ? 'event' : 'events'}`;
}
