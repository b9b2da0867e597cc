import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { ActionState } from '#components/shell/actions/use-sending.ts';
import { cancelReplay } from '#lib/actions/webhooks.ts';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

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
    const params = { replay: uuid };
    const { queryKey } = routeQuery(accountId, 'getReplay', { params });
    setAttempted(uuid);
    setCompletionMessage(null);
    run(() => cancelReplay({ params }), {
      onDone: async ({ data }) => {
        // The response to a read in progress would be older than this one.
        await client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, data);
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
