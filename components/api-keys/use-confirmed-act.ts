'use client';

import { useState, useTransition } from 'react';

import { leavesToSignIn } from '#components/shell/leave-to-sign-in.ts';
import {
  type Deadline,
  deadlineAfter,
  useSecondsLeft,
} from '#components/shell/rate-limit-notice.tsx';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { settle } from '#lib/actions/settle.ts';

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
  act: () => Promise<ActionResult>,
  onDone: () => void,
): ConfirmedAct {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [isPending, startTransition] = useTransition();
  const secondsLeft = useSecondsLeft(deadline);

  function run() {
    setFailure(null);
    startTransition(async () => {
      const result = await settle(act());
      if (result.ok || result.code === 'NOT_FOUND') onDone();
      else if (result.code === 'RATE_LIMIT_EXCEEDED')
        setDeadline(deadlineAfter(result.retryAfter ?? 60));
      else if (!leavesToSignIn(result)) setFailure(result);
    });
  }

  return { run, isPending, failure, deadline, secondsLeft };
}
