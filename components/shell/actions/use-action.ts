import { useRef } from 'react';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';
import { type SecretKind, useLeaveGuard } from '../leaving/use-leave-guard.ts';
import {
  type IdempotentSubmit,
  sendIdempotently,
  type UnansweredRequests,
} from './send-idempotently.ts';
import { isIdentityPromptCancelled, useRunAction } from './use-identity.ts';
import { type ActionHandlers, type ActionState, type Send, useSending } from './use-sending.ts';

type RunSecret<Input, Result> = <Value extends object>(
  submit: IdempotentSubmit<Input, ActionResult<Value>>,
  handlers: ActionHandlers<Value>,
) => Result;

type Action = ActionState & {
  clearFailure: () => void;
  run: Send<void>;
  /** Like `run`, but navigations do not wait for it. Resolves when the action has ended. */
  runInBackground: Send<Promise<void>>;
};

/** After a lost response, the same values send the same request again. */
type SecretAction<Input> = ActionState & {
  run: RunSecret<Input, void>;
  runInBackground: RunSecret<Input, Promise<void>>;
};

/**
 * Runs a server action for the person who is signed in, and keeps its state: whether it is running,
 * and why it failed. If the service needs the password again, a prompt asks for it; closing the
 * prompt does not count as a failure. A rate limit becomes a `deadline`. A lost response is the
 * failure UNAVAILABLE.
 *
 * @param earlier why the same action failed before the component was mounted
 */
export function useAction(earlier: ActionFailure | null = null): Action {
  const { send, sendInBackground, ...state } = useSending({
    isCancelled: isIdentityPromptCancelled,
    earlier,
  });
  const runAction = useRunAction();
  return {
    ...state,
    run: (call, handlers) => send(() => runAction(call), handlers),
    runInBackground: (call, handlers) => sendInBackground(() => runAction(call), handlers),
  };
}

/** Like `useAction`, for an action whose response shows a token or secret once. */
export function useSecretAction<Input>(creates: SecretKind): SecretAction<Input> {
  const { send, sendInBackground, ...state } = useSending({
    isCancelled: isIdentityPromptCancelled,
  });
  const runIdempotently = useIdempotentAction<Input>(creates);
  return {
    ...state,
    run: (submit, handlers) => send(() => runIdempotently(submit), handlers),
    runInBackground: (submit, handlers) =>
      sendInBackground(() => runIdempotently(submit), handlers),
  };
}

/** Like `useAction`, for the pages where nobody is signed in yet. */
export function usePublicAction(): Action {
  const { send, sendInBackground, ...state } = useSending();
  return {
    ...state,
    run: (call, handlers) => send(() => catchFailedCall(call()), handlers),
    runInBackground: (call, handlers) => sendInBackground(() => catchFailedCall(call()), handlers),
  };
}

type RunIdempotently<Input> = <Result extends ActionResult>(
  submit: IdempotentSubmit<Input, Result>,
) => Promise<Result | ActionFailure>;

/**
 * Like `useRunAction`, for actions that create a token or secret: if the response is lost, the same
 * values send the same request again, so that nothing is created twice. Lost requests are forgotten
 * when the component unmounts. Until the response arrives, the page asks before it is left.
 *
 * @param creates what the response, or that of the request after it, shows once
 */
export function useIdempotentAction<Input>(creates: SecretKind): RunIdempotently<Input> {
  const guardRequest = useLeaveGuard();
  const unanswered = useRef<UnansweredRequests<Input>>(new Map());
  const runAction = useRunAction();
  return async ({ send, ...submit }) =>
    await sendIdempotently(unanswered.current, {
      ...submit,
      send: (request) => runAction(() => guardRequest(creates, () => send(request))),
    });
}
