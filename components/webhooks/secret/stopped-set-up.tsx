import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { isRepeatRefused } from '#lib/actions/action-result.ts';
import type { WebhookSetUp } from './use-webhook-set-up.ts';

export type StoppedSetUpProps = { setUp: WebhookSetUp; className?: string };

/** Shows at which step a set-up stopped, with a button to go on. */
export function StoppedSetUp({ setUp, className }: StoppedSetUpProps) {
  const { stage, deadline } = setUp;
  if (stage.name === 'just-shown') {
    const { webhook, unconfirmed } = stage;
    return (
      <Banner
        tone="warn"
        role="alert"
        className={className}
        title={`${unconfirmed.shown_to.name} may be finishing the set-up of ${webhook.name}`}
        action={
          <Button focusesTitleOnRemoval onClick={() => void setUp.begin(webhook)}>
            Show a new secret
          </Button>
        }
      >
        A secret was shown to {unconfirmed.shown_to.name}{' '}
        <RelativeTime isMidSentence value={unconfirmed.since} />. If you show a new one, that secret
        ends after 24 hours.
      </Banner>
    );
  }
  if (stage.name !== 'no-new-secret' && stage.name !== 'not-active') return null;
  const { webhook, failure } = stage;
  const generate = () => void setUp.begin(webhook);
  if (isRepeatRefused(failure)) {
    return (
      <div className={className}>
        <ErrorPanel
          title={`The secret of ${webhook.name} was already created`}
          message="An earlier attempt created one, but it can no longer be shown. Try again to create another."
          requestId={failure.requestId}
          onRetry={generate}
        />
      </div>
    );
  }
  if (stage.name === 'no-new-secret') {
    return (
      <FailedActionPanel
        failedAction={{ failure, deadline, retry: generate }}
        notDone={`No new secret was created for ${webhook.name}`}
        unknown={`We could not confirm whether a new secret was created for ${webhook.name}`}
        className={className}
      />
    );
  }
  return (
    <FailedActionPanel
      failedAction={{ failure, deadline, retry: () => void setUp.finish(webhook, true) }}
      notDone={`${webhook.name} is not active yet`}
      unknown={`We could not confirm whether ${webhook.name} is active now`}
      className={className}
    >
      Its secret was created, and the one you saved is correct.
    </FailedActionPanel>
  );
}
