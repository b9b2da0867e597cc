'use client';

import { useRef } from 'react';

import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

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
 * Like `useRunAction`, for actions that create a token or secret: if the answer is lost, the same
 * values send the same request again, so that nothing is created twice. Lost requests are forgotten
 * when the component unmounts.
 */
export function useIdempotentAction<Input>(): RunIdempotently<Input> {
  const unanswered = useRef<UnansweredRequests<Input>>(new Map());
  const runAction = useRunAction();
  return async ({ send, ...submit }) =>
    await sendIdempotently(unanswered.current, {
      ...submit,
      send: (request) => runAction(() => send(request)),
    });
}
