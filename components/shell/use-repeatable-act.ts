'use client';

import { useRef } from 'react';

import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

import { type LostRequests, type RepeatableSubmit, sendOrRepeat } from './send-or-repeat.ts';
import { useAct } from './use-act.ts';

type RepeatableAct<Input> = <Result extends ActionResult>(
  submit: RepeatableSubmit<Input, Result>,
) => Promise<Result | ActionFailure>;

/**
 * As `useAct`, for what makes a token or secret: whoever loses the answer and presses again with the
 * same values gets one, and nothing is made twice. What was lost is forgotten with the component.
 */
export function useRepeatableAct<Input>(): RepeatableAct<Input> {
  const lost = useRef<LostRequests<Input>>(new Map());
  const act = useAct();
  return async ({ send, ...submit }) =>
    await sendOrRepeat(lost.current, {
      ...submit,
      send: (request) => act(() => send(request)),
    });
}
