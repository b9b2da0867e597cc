'use client';

import { useTransition } from 'react';

import type { ActionResult } from '#lib/actions/action-result.ts';

import { useRunAction } from './use-run-action.ts';
import { type ActionFailureState, useActionFailure } from './use-action-failure.ts';

type ConfirmedAction = Pick<ActionFailureState, 'failure' | 'deadline' | 'secondsLeft'> & {
  run: () => void;
  isPending: boolean;
};

/**
 * Runs an action after its confirmation and keeps its state. NOT_FOUND counts as done, because
 * somebody else did it first.
 */
export function useConfirmedAction(
  action: () => Promise<ActionResult>,
  onDone: () => void,
): ConfirmedAction {
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const [isPending, startTransition] = useTransition();
  const runAction = useRunAction();

  function run() {
    setFailure(null);
    startTransition(async () => {
      const result = await runAction(action);
      if (result.ok || result.code === 'NOT_FOUND') onDone();
      else handleFailure(result);
    });
  }

  return { run, isPending, failure, deadline, secondsLeft };
}
