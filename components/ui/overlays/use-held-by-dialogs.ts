'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import { isDialogOpen } from './is-dialog-open.ts';

const TICK_MS = 250;

/**
 * The value as it is while no dialog is open; its changes wait until dialogs are closed. For what
 * replaces the page: a dialog may show a secret, which would be lost with it.
 *
 * @param isHeldToo whether changes wait for something else
 */
export function useHeldByDialogs<Value>(value: Value, isHeldToo: () => boolean): Value {
  const [applied, setApplied] = useState(value);
  const apply = useEffectEvent(() => {
    if (!isDialogOpen() && !isHeldToo()) setApplied(value);
  });
  const isHeld = applied !== value;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(() => apply(), TICK_MS);
    return () => clearInterval(timer);
  }, [isHeld]);
  return applied;
}
