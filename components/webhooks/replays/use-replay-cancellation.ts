'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState, useTransition } from 'react';

import { useAct } from '#components/shell/use-act.ts';
import { type RefusalState, useRefusal } from '#components/shell/use-refusal.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { cancelReplay } from '#lib/actions/replays.ts';
import type { Replay } from '#lib/contract/replays.ts';
import { replayQuery } from '#lib/queries/replays.ts';

export type ReplayCancellation = Pick<RefusalState, 'failure' | 'deadline' | 'secondsLeft'> & {
  cancel: () => void;
  isPending: boolean;
  /** That nothing of it waits any more, in the service's words, once that is known. */
  over: string | null;
};

/** Cancels the replay that is followed, which then tells how far it came. */
export function useReplayCancellation(
  accountId: string,
  replay: Replay | null,
): ReplayCancellation {
  const { failure, setFailure, deadline, secondsLeft, refuse } = useRefusal();
  const [over, setOver] = useState<string | null>(null);
  const [attempted, setAttempted] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const client = useQueryClient();
  const act = useAct();

  function cancel() {
    if (replay === null) return;
    const { uuid } = replay;
    const { queryKey } = replayQuery(accountId, uuid);
    setAttempted(uuid);
    setFailure(null);
    setOver(null);
    startTransition(async () => {
      const result = await act(() => cancelReplay(uuid));
      if (!result.ok) {
        refuse(result, tell);
        return;
      }
      // An answer under way would be older than this one.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, result.replay);
    });
  }

  function tell(failed: ActionFailure) {
    const words = failed.details?.['replay'];
    if (words === undefined) setFailure(failed);
    else setOver(words.join(' '));
  }

  // What is followed now may be another, and one that is cancelled needs no more to be said.
  const counts = attempted === replay?.uuid && replay?.state !== 'cancelled';
  return {
    cancel,
    isPending,
    deadline,
    secondsLeft,
    failure: counts ? failure : null,
    over: counts ? over : null,
  };
}
