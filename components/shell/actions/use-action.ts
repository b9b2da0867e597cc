'use client';

import type { ActionResult } from '#lib/actions/action-result.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';

import type { SecretKind } from '../one-time-secret/leave-guard.tsx';
import type { IdempotentSubmit } from './send-idempotently.ts';
import { useIdempotentAction } from './use-idempotent-action.ts';
import { isIdentityPromptCancelled, useRunAction } from './use-run-action.ts';
import { type ActionHandlers, type ActionState, useSending } from './use-sending.ts';

type Action = ActionState & {
  clearFailure: () => void;
  run: <Value extends object>(
    call: () => Promise<ActionResult<Value>>,
    handlers: ActionHandlers<Value>,
  ) => void;
};

type SecretAction<Input> = ActionState & {
  /** After a lost answer, the same values send the same request again. */
  run: <Value extends object>(
    submit: IdempotentSubmit<Input, ActionResult<Value>>,
    handlers: ActionHandlers<Value>,
  ) => void;
};

/**
 * Runs a server action for the person who is signed in, and keeps its state: whether it is running,
 * and why it failed. If the service needs the password again, a prompt asks for it; closing the
 * prompt is no failure. A rate limit becomes a `deadline`. A lost answer is the failure UNAVAILABLE.
 */
export function useAction(): Action {
  const { send, ...state } = useSending(isIdentityPromptCancelled);
  const runAction = useRunAction();
  return { ...state, run: (call, handlers) => send(() => runAction(call), handlers) };
}

/** Like `useAction`, for an action that creates a token or secret, which its answer shows once. */
export function useSecretAction<Input>(creates: SecretKind): SecretAction<Input> {
  const { send, ...state } = useSending(isIdentityPromptCancelled);
  const runIdempotently = useIdempotentAction<Input>(creates);
  return { ...state, run: (submit, handlers) => send(() => runIdempotently(submit), handlers) };
}

/** Like `useAction`, for the pages where nobody is signed in yet. */
export function usePublicAction(): Action {
  const { send, ...state } = useSending();
  return { ...state, run: (call, handlers) => send(() => catchNetworkError(call()), handlers) };
}
