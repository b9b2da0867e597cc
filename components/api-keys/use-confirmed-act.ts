'use client';

import { useState, useTransition } from 'react';

import {
  type Deadline,
  deadlineAfter,
  useSecondsLeft,
} from '#components/shell/rate-limit-notice.tsx';
import { isLeft, useAct } from '#components/shell/use-act.ts';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

type ConfirmedAct = {
  run: () => void;
  isPending: boolean;
  failure: ActionFailure | null;
  deadline: Deadline | null;
  secondsLeft: number;
};

/**
 * Does what a person has confirmed, and keeps what became of it. What is not there any longer counts
 * as done: someone else was faster.
 */
export function useConfirmedAct(
  confirmed: () => Promise<ActionResult>,
  onDone: () => void,
): ConfirmedAct {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [isPending, startTransition] = useTransition();
  const secondsLeft = useSecondsLeft(deadline);
  const act = useAct();

  function run() {
    setFailure(null);
    startTransition(async () => {
      const result = await act(confirmed);
      if (result.ok || result.code === 'NOT_FOUND') onDone();
      else if (result.code === 'RATE_LIMIT_EXCEEDED')
        setDeadline(deadlineAfter(result.retryAfter ?? 60));
      else if (!isLeft(result)) setFailure(result);
    });
  }

  return { run, isPending, failure, deadline, secondsLeft };
}
