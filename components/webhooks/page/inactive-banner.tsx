// Every page renders one of these at most, and rarely again. Compiled, the file would be larger.
'use no memo';

import { CircleDashed, CirclePause, CirclePlay, OctagonX } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { WebhookHandler, WebhookActions } from '../actions/webhook-actions.ts';
import { deactivationReason } from '../inactive-reason.ts';
import { activationButtonId } from './activation-button-id.ts';

type InactiveBannerProps = { webhook: Webhook; actions: WebhookActions; isBusy: boolean };

/**
 * Why nothing is sent to the webhook, and the one button on its page that changes this; nothing for
 * an active webhook. It is above every tab, because it is about each of them.
 */
export function InactiveBanner(props: InactiveBannerProps): ReactNode {
  if (props.webhook.status === 'active') return null;
  const StatusBanner = banners[props.webhook.status];
  return (
    <div className="mb-6 max-sm:mb-5">
      <StatusBanner {...props} />
    </div>
  );
}

const banners: Record<
  Exclude<Webhook['status'], 'active'>,
  (props: InactiveBannerProps) => ReactNode
> = {
  pending_setup: Unfinished,
  deactivated: Deactivated,
  paused: Paused,
};

function Unfinished({ webhook, actions, isBusy }: InactiveBannerProps) {
  return (
    <Banner
      role="none"
      icon={<CircleDashed />}
      title="The set-up is incomplete"
      action={
        <ActivationButton webhook={webhook} onPress={actions.onFinishSetUp} isBusy={isBusy}>
          Finish set-up
        </ActivationButton>
      }
    >
      The signing secret was not confirmed as saved, so no events are sent. Finish the set-up to get
      a new secret and to activate the webhook.{' '}
      {actions.onFinishSetUp === undefined && 'An owner or an admin can do that.'}
    </Banner>
  );
}

function Deactivated({ webhook, actions, isBusy }: InactiveBannerProps) {
  return (
    <Banner
      role="none"
      tone="bad"
      icon={<OctagonX />}
      title={<>Deactivated{since(webhook.inactive_since)}</>}
      action={<ResumeButton webhook={webhook} actions={actions} isBusy={isBusy} />}
    >
      {deactivationReason(webhook.inactive_reason)} Only tests are sent to it until it is resumed.{' '}
      {actions.onResume === undefined && 'An owner or an admin can do that.'}
    </Banner>
  );
}

function Paused({ webhook, actions, isBusy }: InactiveBannerProps) {
  return (
    <Banner
      role="none"
      icon={<CirclePause />}
      title={<>Paused{since(webhook.inactive_since)}</>}
      action={<ResumeButton webhook={webhook} actions={actions} isBusy={isBusy} />}
    >
      Only tests are sent to it.{' '}
      {actions.onResume === undefined
        ? 'An owner or an admin can resume it.'
        : 'If events have happened since, you choose whether to deliver or skip them when you resume.'}
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

function ResumeButton({ webhook, actions, isBusy }: InactiveBannerProps) {
  const { onResume, onAskToResume } = actions;
  return (
    <ActivationButton webhook={webhook} onPress={onResume ?? onAskToResume} isBusy={isBusy}>
      {onResume ? 'Resume' : 'Ask an owner or admin to resume'}
    </ActivationButton>
  );
}

type ActivationButtonProps = {
  webhook: Webhook;
  /** Undefined: the person's role does not allow it. */
  onPress: WebhookHandler | undefined;
  isBusy: boolean;
  children: string;
};

function ActivationButton({ webhook, onPress, isBusy, children }: ActivationButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  if (onPress === undefined) return null;
  return (
    <Button
      ref={button}
      id={activationButtonId}
      icon={<CirclePlay />}
      pending={isBusy}
      onClick={() => onPress(webhook, button.current)}
    >
      {children}
    </Button>
  );
}
