import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { type Read, ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import {
  QuestionDialog,
  type QuestionDialogProps,
} from '#components/ui/overlays/question-dialog.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import {
  describeEnd,
  describeProgress,
  isSending,
  needsCancelConfirmation,
} from './describe-replay.ts';
import { ReplayBanner } from './replay-banner.tsx';
import { useFollowedReplay } from './use-followed-replay.ts';
import { useReplayCancellation } from './use-replay-cancellation.ts';

export type FollowedReplayProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** The progress of the replay in the URL, with a button to cancel it. */
export function FollowedReplay({ webhook, accountId, reference }: FollowedReplayProps) {
  const { replay, read, dismiss } = useReplayProgress({
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
      <ReadFailure what="The replay" noun="webhooks" read={read} />
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

type CancelReplayDialogProps = Pick<QuestionDialogProps, 'open' | 'onStay' | 'onLeave'> & {
  replay: Replay;
  finalFocus: NonNullable<QuestionDialogProps['finalFocus']>;
};

/** Confirms the end of a replay if another replay of the same window cannot complete it. */
function CancelReplayDialog({ replay, ...question }: CancelReplayDialogProps) {
  return (
    <QuestionDialog
      {...question}
      title="Cancel this replay of all events?"
      stay="Keep replaying"
      leave="Cancel replay"
    >
      {describeProgress(replay)}. Queued events that are not sent yet are cancelled, unless they
      arrived before this replay. If you replay all events of this window again, those that were
      sent are sent once more.
    </QuestionDialog>
  );
}

type ReplayProgressInput = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

type ReplayProgressReading = {
  /** Null: none is shown, or it was not read yet. */
  replay: Replay | null;
  read: Read;
  dismiss: () => void;
};

/** Reads the replay in the URL until it ends. Removes it there if it is not of this webhook. */
function useReplayProgress({
  webhook,
  accountId,
  reference,
}: ReplayProgressInput): ReplayProgressReading {
  const [uuid, follow] = useFollowedReplay();
  const read = useQuery({
    ...routeQuery(accountId, 'getReplay', { params: { replay: uuid ?? '' } }),
    enabled: uuid !== null,
    refetchInterval: ({ state }) =>
      (state.data === undefined || isSending(state.data)) && refetchDelay(state.error, refetchMs),
  });
  const { data, error } = read;
  const isUnknown =
    (data !== undefined && data.webhook_id !== webhook.id) ||
    (error instanceof ApiError && error.code === 'NOT_FOUND');
  const replay = uuid === null || isUnknown ? null : (data ?? null);

  const forget = useEffectEvent(() => follow(null));
  useEffect(() => {
    if (isUnknown) forget();
  }, [isUnknown]);

  // A replay waits while its webhook is inactive, which is known from the webhook's data only.
  useQuery({
    ...routeQuery(accountId, 'getWebhook', { params: { webhook: reference } }),
    enabled: replay !== null && replay.state !== 'cancelled',
    refetchInterval: ({ state }) => refetchDelay(state.error, webhookMs),
    notifyOnChangeProps: [],
  });

  return {
    replay,
    read: { ...read, error: uuid === null || isUnknown ? null : error },
    dismiss: () => follow(null),
  };
}

const refetchMs = 2000;
const webhookMs = 10_000;
