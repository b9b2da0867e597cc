'use client';

import { useState } from 'react';
import { flushSync } from 'react-dom';

import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import { CancelReplayDialog } from './cancel-replay-dialog.tsx';
import { ReplayBanner } from './replay-banner.tsx';
import { describeEnd, isSending, needsCancelConfirmation } from './describe-replay.ts';
import { useReplayCancellation } from './use-replay-cancellation.ts';
import { useReplayProgress } from './use-replay-progress.ts';

export type FollowedReplayProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** The progress of the replay in the URL, with a button to cancel it. */
export function FollowedReplay({ webhook, accountId, reference }: FollowedReplayProps) {
  const { replay, error, reading, dismiss } = useReplayProgress({
    webhook,
    accountId,
    reference,
  });
  const cancellation = useReplayCancellation(accountId, replay);
  const { failure, deadline, completionMessage } = cancellation;
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const finalFocus = useReturnFocus(
    opener,
    [replay?.uuid, replay?.state, completionMessage].join(),
  );

  function cancel(from: HTMLElement | null) {
    setOpener(from);
    if (replay === null) return;
    if (needsCancelConfirmation(replay)) setIsConfirming(true);
    else cancellation.cancel();
  }

  return (
    <>
      <p role="status" className="sr-only">
        {replay && announcementOf(replay, webhook.is_active)}
      </p>
      {replay && (
        <ReplayBanner
          replay={replay}
          isActive={webhook.is_active}
          cancellation={cancellation}
          onCancel={cancel}
          onDismiss={(from) => {
            // Looks up the neighbors while the banner still exists.
            flushSync(() => setOpener(from));
            dismiss();
          }}
        />
      )}
      {error && (
        <ReadFailure
          what="The replay"
          noun="webhooks"
          error={error}
          isShown={replay !== null}
          reading={reading}
        />
      )}
      <RateLimitNotice deadline={deadline} />
      {failure && (
        <ActionFailurePanel
          failure={failure}
          notDone="The replay was not cancelled"
          unknown="We could not confirm whether the replay was cancelled"
          adviceIfUnknown="Trying again is safe."
        />
      )}
      {replay && (
        <CancelReplayDialog
          open={isConfirming}
          replay={replay}
          finalFocus={finalFocus}
          onStay={() => setIsConfirming(false)}
          onLeave={() => {
            setIsConfirming(false);
            cancellation.cancel();
          }}
        />
      )}
    </>
  );
}

/** Announced once for each state, not for each step. */
function announcementOf(replay: Replay, isActive: boolean): string {
  if (!isSending(replay)) return describeEnd(replay);
  return isActive ? 'The replay has begun.' : 'The replay waits while its webhook is inactive.';
}
