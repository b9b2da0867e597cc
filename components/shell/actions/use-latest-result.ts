'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import type { ActionResult } from '#lib/actions/action-result.ts';

import { useRunAction } from './use-run-action.ts';

type Read<Value extends object, Result> = {
  /** Names what is read: another key reads again. */
  key: string;
  /** A server action that changes nothing. */
  call: () => Promise<ActionResult<Value>>;
  /** Called once, with what `call` returned. */
  parse: (result: ActionResult<Value>) => Result;
};

/**
 * Calls the service again after each change of the key, and returns the result for the current one;
 * null while there is none. Changes that follow one another quickly make one call. Results for
 * earlier keys are ignored.
 */
export function useLatestResult<Value extends object, Result>(
  read: Read<Value, Result> | null,
): Result | null {
  const [latest, setLatest] = useState<{ key: string; result: Result } | null>(null);
  const runAction = useRunAction();
  const key = read?.key ?? null;

  const start = useEffectEvent(async (isCurrent: () => boolean) => {
    if (read === null) return;
    const result = await runAction(read.call);
    if (isCurrent()) setLatest({ key: read.key, result: read.parse(result) });
  });

  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    const timer = setTimeout(() => void start(() => isCurrent), DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);

  return latest !== null && latest.key === key ? latest.result : null;
}

/** Arrow keys pass through choices quickly. */
const DEBOUNCE_MS = 200;
