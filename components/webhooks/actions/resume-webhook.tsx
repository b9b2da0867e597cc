import { useState } from 'react';
import { FormDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { laterDeadline, useSecondsLeft } from '#components/shell/feedback/rate-limit.ts';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { getWebhookBacklog, updateWebhook } from '#lib/actions/webhooks.ts';
import type { WebhookBacklog } from '#lib/contract/webhooks/webhook-backlog.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { WholeUrl } from '../url.tsx';
import { CountFailure } from '../count-failure.tsx';
import { deactivationReason } from '../inactive-reason.ts';
import { type Backlog, backlogChoices } from './backlog-choices.ts';

/** How many events the webhook was not sent, or why they could not be counted. */
export type CountedBacklog = ActionResult<{ data: WebhookBacklog }>;

type ResumeWebhookProps = DialogClosing & {
  webhook: Webhook;
  counted: CountedBacklog;
  onResumed: (webhook: Webhook) => void;
  /** Called if someone else deleted the webhook. */
  onNotFound: () => void;
};

/** Resumes a webhook. It asks whether to deliver or skip the events that it was not sent. */
export function ResumeWebhook({
  webhook,
  counted: countedAtFirst,
  onResumed,
  onNotFound,
  ...dialog
}: ResumeWebhookProps) {
  const [counted, setCounted] = useState(countedAtFirst);
  const [backlog, setBacklog] = useState<Backlog>('deliver');
  const { run, ...action } = useAction();
  const counting = useAction(countedAtFirst.ok ? null : countedAtFirst);
  const deadline = laterDeadline(action.deadline, counting.deadline);
  const secondsLeft = useSecondsLeft(deadline);
  const params = { webhook: webhook.uuid };
  const hasChoice = counted.ok && counted.data.count > 0;

  function resume() {
    // If none was counted, `backlog` is "deliver": an event may have happened since the count.
    const body = { is_active: true, ...(counted.ok && { backlog }) };
    run(() => updateWebhook({ params, body }), {
      onDone: ({ data }) => onResumed(data),
      onNotFound,
    });
  }

  function countAgain() {
    counting.run(() => getWebhookBacklog({ params }), {
      onDone: ({ data }) => setCounted({ ok: true, data }),
      onNotFound,
      onFailure: setCounted,
    });
  }

  return (
    <FormDialog
      title={`Resume ${webhook.name}`}
      sentence="Events are sent to it again from now on."
      form={{ ...action, deadline, secondsLeft, onConfirm: resume }}
      buttons={{ confirm: hasChoice ? labels[backlog] : `Resume ${webhook.name}` }}
      failure={{
        notDone: `${webhook.name} was not resumed`,
        unknown: `We could not confirm whether ${webhook.name} was resumed`,
        adviceIfUnknown: 'Trying again is safe.',
      }}
      {...dialog}
    >
      <Facts facts={factsOf(webhook, counted)} />
      {hasChoice && (
        <RadioCards
          legend="Events that were not sent"
          name="backlog"
          cards={backlogChoices(counted.data.count)}
          value={backlog}
          onChange={setBacklog}
        />
      )}
      {!counted.ok && secondsLeft === 0 && (
        <CountFailure
          title="The events that were not sent could not be counted"
          failure={counted}
          isCounting={counting.isPending}
          onCountAgain={countAgain}
        >
          You can resume without a count: pending retries continue, but nothing else is sent. You
          can send them later with “Replay a window” on Deliveries.
        </CountFailure>
      )}
    </FormDialog>
  );
}

const labels: Record<Backlog, string> = {
  deliver: 'Resume and deliver',
  skip: 'Resume and skip',
};

function factsOf(webhook: Webhook, counted: CountedBacklog): Fact[] {
  const isPaused = webhook.status === 'paused';
  const since = webhook.inactive_since;
  return [
    { label: 'URL', value: <WholeUrl url={webhook.url} /> },
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
    ...(counted.ok ? [{ label: 'Not sent', value: <BacklogCount backlog={counted.data} /> }] : []),
  ];
}

/** How many events, and which is the first of them. */
function BacklogCount({ backlog: { count, failed, since } }: { backlog: WebhookBacklog }) {
  if (failed === 0 || since === null) return countOf(count, 'matching event');
  return (
    <>
      {countOf(count, 'matching event')}
      <span className="block text-small text-pretty text-ink-3">
        {failed === count ? (count === 1 ? 'It' : 'They') : formatCount(failed)} failed before that
        and {failed === 1 ? 'was given up, from' : 'were given up, the first from'}{' '}
        <ExactTime value={since} />.
      </span>
    </>
  );
}
