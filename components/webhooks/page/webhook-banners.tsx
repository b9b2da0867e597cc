'use client';
// Every page renders few of these and rarely again. Compiled, the file would be 1.4 KB larger.
'use no memo';

import { CircleDashed, CirclePause, KeyRound, OctagonX, RotateCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { MemberRights } from '#lib/contract/member-rights.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import { formatRemaining } from '#lib/time.ts';

import type { WebhookHandler, WebhookActions } from '../actions/webhook-actions.ts';
import {
  type WebhookCondition,
  deactivationReason,
  webhookConditions,
} from '../webhook-conditions.ts';
import { StatePanel } from './state/state-panel.tsx';
import { UnconfirmedSecret } from './unconfirmed-secret.tsx';

type WebhookBannersProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  rights: MemberRights;
  now: Date;
  actions: WebhookActions;
  isBusy: boolean;
};

/**
 * How an active webhook is doing, and a banner for each other condition that a person should know
 * about.
 */
export function WebhookBanners(props: WebhookBannersProps): ReactNode {
  const { webhook, now } = props;
  const conditions = webhookConditions(webhook, now).filter((condition) => condition !== 'failing');
  if (conditions.length === 0 && !webhook.is_active) return null;
  return (
    <div className="grid gap-3">
      {webhook.is_active && <StatePanel {...props} />}
      {conditions.map((condition) => {
        const ConditionBanner = banners[condition];
        return <ConditionBanner key={condition} {...props} />;
      })}
    </div>
  );
}

const banners: Record<
  Exclude<WebhookCondition, 'failing'>,
  (props: WebhookBannersProps) => ReactNode
> = {
  unfinished: Unfinished,
  deactivated: Deactivated,
  paused: Paused,
  'secret not shown': SecretNotShown,
  'secret unconfirmed': ({ webhook, accountId, actions }) => (
    <UnconfirmedSecret
      webhook={webhook}
      accountId={accountId}
      onRegenerate={actions.onRegenerate}
    />
  ),
  'previous secret': PreviousSecret,
};

function Unfinished({ webhook, actions, isBusy }: WebhookBannersProps) {
  return (
    <Banner
      role="none"
      icon={<CircleDashed />}
      title="The set-up is incomplete"
      action={
        <ActionButton webhook={webhook} onAction={actions.onFinishSetUp} isBusy={isBusy}>
          Finish set-up<span className="sr-only"> of {webhook.name}</span>
        </ActionButton>
      }
    >
      Nobody has confirmed that the signing secret is saved, so no events are sent. Finish the
      set-up to get a new secret and to activate the webhook.{' '}
      {actions.onFinishSetUp === undefined && 'An owner or an admin can do that.'}
    </Banner>
  );
}

function Deactivated({ webhook, actions, isBusy }: WebhookBannersProps) {
  return (
    <Banner
      role="none"
      tone="bad"
      icon={<OctagonX />}
      title={<>Deactivated{since(webhook.inactive_since)}</>}
      action={
        <ActionButton webhook={webhook} onAction={actions.onResume} isBusy={isBusy}>
          Resume<span className="sr-only"> {webhook.name}</span>
        </ActionButton>
      }
    >
      {deactivationReason(webhook.inactive_reason)} Nothing is sent to it until it is resumed.{' '}
      {actions.onResume === undefined && 'An owner or an admin can do that.'}
    </Banner>
  );
}

function Paused({ webhook, actions, isBusy }: WebhookBannersProps) {
  return (
    <Banner
      role="none"
      icon={<CirclePause />}
      title={<>Paused{since(webhook.inactive_since)}</>}
      action={
        <ActionButton webhook={webhook} onAction={actions.onResume} isBusy={isBusy}>
          Resume<span className="sr-only"> {webhook.name}</span>
        </ActionButton>
      }
    >
      Nothing is sent to it.{' '}
      {actions.onResume === undefined
        ? 'An owner or an admin can resume it.'
        : 'If events have happened since, resuming asks whether to deliver or to skip them.'}
    </Banner>
  );
}

function SecretNotShown({ webhook, actions, isBusy }: WebhookBannersProps) {
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<KeyRound />}
      title="Nobody has seen the signing secret"
      action={
        <ActionButton webhook={webhook} onAction={actions.onRegenerate} isBusy={isBusy}>
          Generate secret<span className="sr-only"> of {webhook.name}</span>
        </ActionButton>
      }
    >
      Deliveries are signed, but the secret was never shown to anyone, so your server cannot verify
      them.{' '}
      {actions.onRegenerate === undefined
        ? 'An owner, an admin or support staff can generate a new one.'
        : 'Generate a new one to see it.'}
    </Banner>
  );
}

function PreviousSecret({ webhook, now }: WebhookBannersProps) {
  const end = webhook.secret.previous_valid_until;
  if (end === null) return null;
  return (
    <Banner
      role="none"
      icon={<RotateCw />}
      title={
        <>
          The old secret signs until <ExactTime value={end} />
        </>
      }
    >
      For {formatRemaining(new Date(end), now)} more each delivery carries a signature for each
      secret, so your server can verify with either. Switch to the new one before then.
    </Banner>
  );
}

function since(time: string | null): ReactNode {
  if (time === null) return null;
  return (
    <>
      {' '}
      since <ExactTime value={time} />
    </>
  );
}

type ActionButtonProps = {
  webhook: Webhook;
  onAction: WebhookHandler | undefined;
  isBusy: boolean;
  children: ReactNode;
};

function ActionButton({ webhook, onAction, isBusy, children }: ActionButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  if (onAction === undefined) return null;
  return (
    <Button ref={button} pending={isBusy} onClick={() => onAction(webhook, button.current)}>
      {children}
    </Button>
  );
}
