'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import type { ActionState } from '#components/shell/actions/use-sending.ts';
import { cancelReplay } from '#lib/actions/replays.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { replayQuery } from '#lib/queries/replays.ts';

export type ReplayCancellation = ActionState & {
  cancel: () => void;
  /** The service's message that there is nothing left to cancel; null until it is known. */
  completionMessage: string | null;
};

/** Cancels the replay whose progress is shown. */
export function useReplayCancellation(
  accountId: string,
  replay: Replay | null,
): ReplayCancellation {
  const { run, ...action } = useAction();
  const [completionMessage, setCompletionMessage] = useState<string | null>(null);
  const [attempted, setAttempted] = useState<string | null>(null);
  const client = useQueryClient();

  function cancel() {
    if (replay === null) return;
    const { uuid } = replay;
    const { queryKey } = replayQuery(accountId, uuid);
    setAttempted(uuid);
    setCompletionMessage(null);
    run(() => cancelReplay(uuid), {
      onDone: async (result) => {
        // The response to a read in progress would be older than this one.
        await client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, result.replay);
      },
      onFailure: (failure, show) => {
        const messages = failure.details?.['replay'];
        if (messages === undefined) show(failure);
        else setCompletionMessage(messages.join(' '));
      },
    });
  }

  // Another replay may be shown by now; and a cancelled action needs no message.
  const isRelevant = attempted === replay?.uuid && replay?.state !== 'cancelled';
  return {
    ...action,
    cancel,
    failure: isRelevant ? action.failure : null,
    completionMessage: isRelevant ? completionMessage : null,
  };
}
