'use client';

import { useTransition } from 'react';

import type { ActionResult } from '#lib/actions/action-result.ts';

import { useAct } from './use-act.ts';
import { type RefusalState, useRefusal } from './use-refusal.ts';

type ConfirmedAct = Pick<RefusalState, 'failure' | 'deadline' | 'secondsLeft'> & {
  run: () => void;
  isPending: boolean;
};

/**
 * Does what a person has confirmed, and keeps what became of it. What is not there any longer counts
 * as done: someone else was faster.
 */
export function useConfirmedAct(
  confirmed: () => Promise<ActionResult>,
  onDone: () => void,
): ConfirmedAct {
  const { failure, setFailure, deadline, secondsLeft, refuse } = useRefusal();
  const [isPending, startTransition] = useTransition();
  const act = useAct();

  function run() {
    setFailure(null);
    startTransition(async () => {
      const result = await act(confirmed);
      if (result.ok || result.code === 'NOT_FOUND') onDone();
      else refuse(result);
    });
  }

  return { run, isPending, failure, deadline, secondsLeft };
}
