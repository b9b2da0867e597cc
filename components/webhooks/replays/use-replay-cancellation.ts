'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState, useTransition } from 'react';

import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import {
  type ActionFailureState,
  useActionFailure,
} from '#components/shell/actions/use-action-failure.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { cancelReplay } from '#lib/actions/replays.ts';
import type { Replay } from '#lib/contract/replays.ts';
import { replayQuery } from '#lib/queries/replays.ts';

export type ReplayCancellation = Pick<
  ActionFailureState,
  'failure' | 'deadline' | 'secondsLeft'
> & {
  cancel: () => void;
  isPending: boolean;
  /** The service's message that there is nothing left to cancel; null until it is known. */
  completionMessage: string | null;
};

/** Cancels the replay whose progress is shown. */
export function useReplayCancellation(
  accountId: string,
  replay: Replay | null,
): ReplayCancellation {
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const [completionMessage, setCompletionMessage] = useState<string | null>(null);
  const [attempted, setAttempted] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const client = useQueryClient();
  const runAction = useRunAction();

  function cancel() {
    if (replay === null) return;
    const { uuid } = replay;
    const { queryKey } = replayQuery(accountId, uuid);
    setAttempted(uuid);
    setFailure(null);
    setCompletionMessage(null);
    startTransition(async () => {
      const result = await runAction(() => cancelReplay(uuid));
      if (!result.ok) {
        handleFailure(result, showFailure);
        return;
      }
      // The answer to a running read would be older than this one.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, result.replay);
    });
  }

  function showFailure(result: ActionFailure) {
    const messages = result.details?.['replay'];
    if (messages === undefined) setFailure(result);
    else setCompletionMessage(messages.join(' '));
  }

  // Another replay may be shown now; and a cancelled one needs no message.
  const isRelevant = attempted === replay?.uuid && replay?.state !== 'cancelled';
  return {
    cancel,
    isPending,
    deadline,
    secondsLeft,
    failure: isRelevant ? failure : null,
    completionMessage: isRelevant ? completionMessage : null,
  };
}
