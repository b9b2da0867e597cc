'use client';

import { useRef } from 'react';

import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

import { type SecretKind, useLeaveGuard } from '../leaving/use-leave-guard.ts';
import {
  type UnansweredRequests,
  type IdempotentSubmit,
  sendIdempotently,
} from './send-idempotently.ts';
import { useRunAction } from './use-run-action.ts';

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
