'use client';

import { useTransition } from 'react';

import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

import { type FailureHandler, type FailureState, useFailureState } from './use-failure-state.ts';

export type ActionState = FailureState & { isPending: boolean };

export type ActionHandlers<Value extends object> = {
  /** The action is pending until this ends. */
  onDone: (result: Value) => unknown;
  /** Called if somebody else removed what the action is about. By default that is a failure. */
  onNotFound?: () => void;
  /** Not called for a rate limit. */
  onFailure?: FailureHandler;
};

type Sending = ActionState & {
  clearFailure: () => void;
  send: <Value extends object>(
    call: () => Promise<ActionResult<Value>>,
    handlers: ActionHandlers<Value>,
  ) => void;
};

/**
 * Waits for the result of an action and keeps its state. For actions, use `useAction`.
 * @param isIgnored returns whether a failure needs no message
 */
export function useSending(isIgnored: (failure: ActionFailure) => boolean = () => false): Sending {
  const { failure, deadline, secondsLeft, clearFailure, showFailure } = useFailureState();
  const [isPending, startTransition] = useTransition();

  function send<Value extends object>(
    call: () => Promise<ActionResult<Value>>,
    { onDone, onNotFound, onFailure }: ActionHandlers<Value>,
  ) {
    clearFailure();
    startTransition(async () => {
      const result = await call();
      if (result.ok) await onDone(result);
      else if (result.code === 'NOT_FOUND' && onNotFound) onNotFound();
      else if (!isIgnored(result)) showFailure(result, onFailure);
    });
  }

  return { failure, deadline, secondsLeft, isPending, clearFailure, send };
}
