import { useEffect, useEffectEvent, useState } from 'react';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { type FailedAction, useFailureState } from './use-failure-state.ts';
import { useRunAction } from './use-identity.ts';

type Read<Value extends object> = {
  /** Identifies what is read: another key reads again. */
  key: string;
  /** A server action that changes nothing. */
  call: () => Promise<ActionResult<Value>>;
};

type LatestResult<Value extends object> = {
  /** Null: there is none yet. */
  value: Value | null;
  failedAction: FailedAction | null;
};

/**
 * Calls the service again after each change of the key, and returns the result for the current one.
 * Changes that follow one another quickly make one call. Results for earlier keys are ignored.
 *
 * @param options.debounceMs how long the key must stay the same; longer for a text that is typed
 */
export function useLatestResult<Value extends object>(
  read: Read<Value> | null,
  { debounceMs = 200 } = {},
): LatestResult<Value> {
  const [latest, setLatest] = useState<{ key: string; value: Value | null } | null>(null);
  const [round, setRound] = useState(0);
  const { failedAction, clearFailure, showFailure } = useFailureState();
  const runAction = useRunAction();
  const key = read?.key ?? null;

  const start = useEffectEvent(async (isCurrent: () => boolean) => {
    if (read === null) return;
    const result = await runAction(read.call);
    if (!isCurrent()) return;
    setLatest({ key: read.key, value: result.ok ? result : null });
    if (result.ok) clearFailure();
    else showFailure(result, () => setRound((before) => before + 1));
  });

  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    // Arrow keys pass through choices quickly.
    const timer = setTimeout(() => void start(() => isCurrent), debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, round, debounceMs]);

  return latest !== null && latest.key === key
    ? { value: latest.value, failedAction }
    : { value: null, failedAction: null };
}
