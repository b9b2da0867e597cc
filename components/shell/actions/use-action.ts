'use client';

import { useTransition } from 'react';

import type { ActionResult } from '#lib/actions/action-result.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';

import type { IdempotentSubmit } from './send-idempotently.ts';
import { type FailureHandler, type FailureState, useFailureState } from './use-failure-state.ts';
import { useIdempotentAction } from './use-idempotent-action.ts';
import { isIdentityPromptCancelled, useRunAction } from './use-run-action.ts';

export type ActionState = FailureState & { isPending: boolean };

export type ActionHandlers<Value extends object> = {
  onDone: (result: Value) => unknown;
  /** Called if somebody else removed what the action is about. By default that is a failure. */
  onNotFound?: () => void;
  /** Not called for a rate limit. */
  onFailure?: FailureHandler;
};

type Action<Input> = ActionState & {
  clearFailure: () => void;
  run: <Value extends object>(
    call: () => Promise<ActionResult<Value>>,
    handlers: ActionHandlers<Value>,
  ) => void;
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
  const { send, showFailure, ...state } = useSending();
  const runAction = useRunAction();
  const runIdempotently = useIdempotentAction<Input>();

  function handled<Value extends object>(
    handlers: ActionHandlers<Value>,
  ): (result: ActionResult<Value>) => unknown {
    const { onDone, onNotFound, onFailure } = handlers;
    return (result) => {
      if (result.ok) return onDone(result);
      if (result.code === 'NOT_FOUND' && onNotFound) return onNotFound();
      if (isIdentityPromptCancelled(result)) return undefined;
      return showFailure(result, onFailure);
    };
  }

  return {
    ...state,
    run: (call, handlers) => send(() => runAction(call), handled(handlers)),
    runIdempotently: (submit, handlers) => send(() => runIdempotently(submit), handled(handlers)),
  };
}

type PublicAction = ActionState & {
  clearFailure: () => void;
  run: <Value extends object>(
    call: () => Promise<ActionResult<Value>>,
    handlers: Pick<ActionHandlers<Value>, 'onDone' | 'onFailure'>,
  ) => void;
};

/** Like `useAction`, for the pages where nobody is signed in yet. */
export function usePublicAction(): PublicAction {
  const { send, showFailure, ...state } = useSending();
  return {
    ...state,
    run: (call, { onDone, onFailure }) =>
      send(
        () => catchNetworkError(call()),
        (result) => (result.ok ? onDone(result) : showFailure(result, onFailure)),
      ),
  };
}

function useSending() {
  const { clearFailure, ...state } = useFailureState();
  const [isPending, startTransition] = useTransition();

  function send<Result>(call: () => Promise<Result>, onResult: (result: Result) => unknown) {
    clearFailure();
    startTransition(async () => {
      await onResult(await call());
    });
  }

  return { ...state, isPending, clearFailure, send };
}
