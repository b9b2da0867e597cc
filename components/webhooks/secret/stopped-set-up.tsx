'use client';

import { RefreshCw } from 'lucide-react';

import { useSecondsLeft, rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { RequestId } from '#components/shell/feedback/request-id.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { isOutcomeUnknown, isRepeatRefused } from '#lib/actions/action-result.ts';

import type { StoppedSetUp, WebhookSetUp } from './use-webhook-set-up.ts';

export type SetUpFailureProps = { setUp: WebhookSetUp; className?: string };

/** Says at which step a set-up stopped, with a button to try again. */
export function StoppedSetUpBanner({ setUp, className }: SetUpFailureProps) {
  const { stage } = setUp;
  if (stage.name !== 'no new secret' && stage.name !== 'not active') return null;
  const isSecretMissing = stage.name === 'no new secret';
  return (
    <StoppedBanner
      stop={stage}
      onRetry={() =>
        void (isSecretMissing ? setUp.begin(stage.webhook) : setUp.finish(stage.webhook, true))
      }
      className={className}
    />
  );
}

type StoppedBannerProps = {
  stop: StoppedSetUp;
  onRetry: () => void;
  className: string | undefined;
};

function StoppedBanner({ stop, onRetry, className }: StoppedBannerProps) {
  const { name, failure, deadline } = stop;
  const secondsLeft = useSecondsLeft(deadline);
  return (
    <Banner
      tone="bad"
      title={titleOf(stop)}
      action={
        <Button
          icon={<RefreshCw />}
          disabledReason={rateLimitReason(secondsLeft)}
          onClick={onRetry}
        >
          Try again
        </Button>
      }
      {...(className === undefined ? {} : { className })}
    >
      {name === 'not active' && 'Its secret was created, and the one you saved is correct. '}
      {isRepeatRefused(failure)
        ? 'An earlier attempt created one, but it can no longer be shown. Try again to create another.'
        : failure.message}
      <RequestId id={failure.requestId} />
    </Banner>
  );
}

function titleOf({ name, webhook, failure }: StoppedSetUp): string {
  if (isRepeatRefused(failure)) return `The secret of ${webhook.name} was created already`;
  if (isOutcomeUnknown(failure)) {
    return name === 'not active'
      ? `It is unknown whether ${webhook.name} is active now`
      : `It is unknown whether a new secret was created for ${webhook.name}`;
  }
  return name === 'not active'
    ? `${webhook.name} is not active yet`
    : `No new secret was created for ${webhook.name}`;
}
