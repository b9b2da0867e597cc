import type { ReactNode } from 'react';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import {
  webhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';
import type { WebhookHandler } from '../actions/webhook-actions.ts';

type WebhookStatusProps = {
  webhook: Webhook;
  now: Date;
  /** Undefined if the person may not finish the set-up. */
  onFinishSetUp: WebhookHandler | undefined;
  /** An action is running for the webhook. */
  isBusy: boolean;
};

/** A webhook's status in the table: icon, label, and since when. */
export function WebhookStatus({ webhook, now, onFinishSetUp, isBusy }: WebhookStatusProps) {
  const state = webhookState(webhook, now);
  const label = webhookStateLabels[state];
  switch (state) {
    case 'active':
      return <ActiveStatus webhook={webhook} label={label} />;
    case 'failing':
      return <FailingStatus webhook={webhook} label={label} />;
    case 'paused':
    case 'deactivated':
      return (
        <Status mark={webhookStateMarks[state]} sub={<InactiveDetails webhook={webhook} />}>
          {isBusy && <Busy />}
          <span>{label}</span>
        </Status>
      );
    case 'pending_setup':
      return (
        <Status
          mark={webhookStateMarks.pending_setup}
          sub={<ResponsiveText wide="Signing secret not saved" narrow="Secret not saved" />}
        >
          {onFinishSetUp ? (
            <FinishSetUp webhook={webhook} onFinish={onFinishSetUp} isPending={isBusy} />
          ) : (
            label
          )}
        </Status>
      );
  }
}

type StatusOfWebhookProps = { webhook: Webhook; label: string };

function FailingStatus({ webhook, label }: StatusOfWebhookProps) {
  const { failing_since: since, failure_count: failures } = webhook;
  const count = countOf(failures, 'failure');
  return (
    <Status
      mark={webhookStateMarks.failing}
      sub={
        <>
          <ResponsiveText wide={since === null ? count : <Since time={since} />} narrow={count} />
          <UnsavedSecret webhook={webhook} />
        </>
      }
    >
      {label}
    </Status>
  );
}

function InactiveDetails({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <Since time={webhook.inactive_since} />
      <UnsavedSecret webhook={webhook} />
    </>
  );
}

/** Warns that the signing secret may be lost, regardless of the status. */
function UnsavedSecret({ webhook: { secret } }: { webhook: Webhook }) {
  if (secret.was_shown && secret.unconfirmed === null) return null;
  return (
    <span className="block text-warn max-sm:truncate">
      {secret.was_shown ? (
        <ResponsiveText wide="Secret not confirmed" narrow="Secret unconfirmed" />
      ) : (
        'Secret never shown'
      )}
    </span>
  );
}

function ActiveStatus({ webhook, label }: StatusOfWebhookProps) {
  if (!webhook.secret.was_shown || webhook.secret.unconfirmed) {
    return (
      <Status mark="warning" tone="ink" sub={<UnsavedSecret webhook={webhook} />}>
        {label}
      </Status>
    );
  }
  const until = webhook.secret.previous_valid_until;
  if (until === null) return <Status mark={webhookStateMarks.active}>{label}</Status>;
  return (
    <Status
      mark={webhookStateMarks.active}
      sub={
        <ResponsiveText
          wide={
            <>
              Old secret until <ExactTime value={until} form="short" />
            </>
          }
          narrow="Old secret still signs"
        />
      }
    >
      {label}
    </Status>
  );
}

function Since({ time }: { time: string | null }) {
  if (time === null) return null;
  return (
    <ResponsiveText
      wide={
        <>
          Since <ExactTime value={time} form="short" />
        </>
      }
      narrow={<ExactTime value={time} form="day" />}
    />
  );
}

/** A shorter text for phones, where the name next to it needs the space. */
function ResponsiveText({ wide, narrow }: { wide: ReactNode; narrow: ReactNode }) {
  return (
    <>
      <span className="max-sm:hidden">{wide}</span>
      <span className="sm:hidden">{narrow}</span>
    </>
  );
}

type FinishSetUpProps = { webhook: Webhook; onFinish: WebhookHandler; isPending: boolean };

function FinishSetUp({ webhook, onFinish, isPending }: FinishSetUpProps) {
  return (
    <button
      type="button"
      aria-busy={isPending || undefined}
      onClick={(event) => {
        if (!isPending) onFinish(webhook, event.currentTarget);
      }}
      className="link relative cursor-default rounded-1 after:absolute after:-inset-x-1 after:-inset-y-1 max-sm:after:-inset-y-3 pointer-coarse:after:-inset-y-3"
    >
      {isPending && <Busy />}
      <span>
        Finish <span className="max-[22.5rem]:sr-only">set-up</span>
        <span className="sr-only"> of {webhook.name}</span>
      </span>
    </button>
  );
}

function Busy() {
  return (
    <span className="mr-1 inline-block align-[-2px] [&>svg]:icon-14">
      <Spinner />
    </span>
  );
}
