'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import type { ActionResult } from '#lib/actions/action-result.ts';

import { useRunAction } from './use-run-action.ts';

type Question<Value extends object, Answer> = {
  /** Names what is asked: another key is another question. */
  key: string;
  /** A server action that changes nothing. */
  ask: () => Promise<ActionResult<Value>>;
  /** Called once, when the result is there. */
  read: (result: ActionResult<Value>) => Answer;
};

/**
 * Asks the service again after each change of the question, and returns the answer to the current
 * one; null while there is none. Changes that follow one another quickly ask once. Answers to
 * earlier questions are ignored.
 */
export function useLatestAnswer<Value extends object, Answer>(
  question: Question<Value, Answer> | null,
): Answer | null {
  const [latest, setLatest] = useState<{ key: string; answer: Answer } | null>(null);
  const runAction = useRunAction();
  const key = question?.key ?? null;

  const ask = useEffectEvent(async (isCurrent: () => boolean) => {
    if (question === null) return;
    const result = await runAction(question.ask);
    if (isCurrent()) setLatest({ key: question.key, answer: question.read(result) });
  });

  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    const timer = setTimeout(() => void ask(() => isCurrent), DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);

  return latest !== null && latest.key === key ? latest.answer : null;
}

/** Arrow keys pass through choices quickly. */
const DEBOUNCE_MS = 200;
