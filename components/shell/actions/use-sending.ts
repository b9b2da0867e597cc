import { useState, useTransition } from 'react';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { type FailureHandler, type FailureState, useFailureState } from './use-failure-state.ts';

export type ActionState = FailureState & { isPending: boolean };

export type ActionHandlers<Value extends object> = {
  /** The action is pending until this ends. */
  onDone: (result: Value) => unknown;
  /** Called if someone else removed the action's target. By default that is a failure. */
  onNotFound?: () => void;
  /** Not called for a rate limit. */
  onFailure?: FailureHandler;
  /** Called for every failure, also for a rate limit, before it is shown. */
  onNotDone?: (failure: ActionFailure) => void;
  /** Called if the person closed the identity prompt. No message is needed then. */
  onCancelled?: (failure: ActionFailure) => void;
};

export type Send<Result> = <Value extends object>(
  call: () => Promise<ActionResult<Value>>,
  handlers: ActionHandlers<Value>,
) => Result;

export type Sending = ActionState & {
  clearFailure: () => void;
  /** In a transition: navigations wait until the action has ended. */
  send: Send<void>;
  /** Without a transition: navigations do not wait. Resolves when the action has ended. */
  sendInBackground: Send<Promise<void>>;
};

type SendingOptions = {
  /** Whether the person cancelled the action, so that no message is needed. */
  isCancelled?: (failure: ActionFailure) => boolean;
  /** Why the same action failed before. */
  earlier?: ActionFailure | null;
};

/** Waits for the result of an action and keeps its state. For actions, use `useAction`. */
export function useSending({
  isCancelled = () => false,
  earlier = null,
}: SendingOptions = {}): Sending {
  const { clearFailure, showFailure, ...state } = useFailureState(earlier);
  const [isInTransition, startTransition] = useTransition();
  const [backgroundCount, setBackgroundCount] = useState(0);

  async function handle<Value extends object>(
    result: ActionResult<Value>,
    { onDone, onNotFound, onFailure, onNotDone, onCancelled }: ActionHandlers<Value>,
    retry: () => void,
  ) {
    if (result.ok) await onDone(result);
    else if (result.code === 'NOT_FOUND' && onNotFound) onNotFound();
    else if (isCancelled(result)) onCancelled?.(result);
    else {
      onNotDone?.(result);
      showFailure(result, retry, onFailure);
    }
  }

  const send: Send<void> = (call, handlers) => {
    clearFailure();
    startTransition(async () => {
      await handle(await call(), handlers, () => send(call, handlers));
    });
  };

  const sendInBackground: Send<Promise<void>> = async (call, handlers) => {
    clearFailure();
    setBackgroundCount((count) => count + 1);
    const retry = () => void sendInBackground(call, handlers);
    const act = async () => await handle(await call(), handlers, retry);
    await act().finally(() => setBackgroundCount((count) => count - 1));
  };

  return {
    ...state,
    isPending: isInTransition || backgroundCount > 0,
    clearFailure,
    send,
    sendInBackground,
  };
}
