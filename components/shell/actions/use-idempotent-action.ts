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
 * As `useAct`, for what makes a token or secret: whoever loses the answer and presses again with the
 * same values gets one, and nothing is made twice. What was lost is forgotten with the component.
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
