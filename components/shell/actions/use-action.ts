'use client';

import type { ActionResult } from '#lib/actions/action-result.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';

import type { IdempotentSubmit } from './send-idempotently.ts';
import { useIdempotentAction } from './use-idempotent-action.ts';
import { isIdentityPromptCancelled, useRunAction } from './use-run-action.ts';
import { type ActionHandlers, type ActionState, useSending } from './use-sending.ts';

type PublicAction = ActionState & {
  clearFailure: () => void;
  run: <Value extends object>(
    call: () => Promise<ActionResult<Value>>,
    handlers: ActionHandlers<Value>,
  ) => void;
};

type Action<Input> = PublicAction & {
  /** For what creates a token or secret: after a lost answer, the same request is sent again. */
  runIdempotently: <Value extends object>(
    submit: IdempotentSubmit<Input, ActionResult<Value>>,
    handlers: ActionHandlers<Value>,
  ) => void;
};

/**
 * Runs a server action for the person who is signed in, and keeps its state: whether it is running,
 * and why it failed. If the service needs the password again, a prompt asks for it; closing the
 * prompt is no failure. A rate limit becomes a `deadline`. A lost answer is the failure UNAVAILABLE.
 */
export function useAction<Input = never>(): Action<Input> {
  const { send, ...state } = useSending(isIdentityPromptCancelled);
  const runAction = useRunAction();
  const runIdempotently = useIdempotentAction<Input>();
  return {
    ...state,
    run: (call, handlers) => send(() => runAction(call), handlers),
    runIdempotently: (submit, handlers) => send(() => runIdempotently(submit), handlers),
  };
}

/** Like `useAction`, for the pages where nobody is signed in yet. */
export function usePublicAction(): PublicAction {
  const { send, ...state } = useSending();
  return { ...state, run: (call, handlers) => send(() => catchNetworkError(call()), handlers) };
}
