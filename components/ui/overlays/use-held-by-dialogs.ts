'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import { isDialogOpen } from './is-dialog-open.ts';

const TICK_MS = 250;

/**
 * The value as it is while no dialog is open; its changes wait until dialogs are closed. For what
 * replaces the page: a dialog may show a secret, which would be lost with it.
 */
export function useHeldByDialogs<Value>(value: Value): Value {
  const [applied, setApplied] = useState(value);
  const apply = useEffectEvent(() => {
    if (!isDialogOpen()) setApplied(value);
  });
  const isHeld = applied !== value;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(() => apply(), TICK_MS);
    return () => clearInterval(timer);
  }, [isHeld]);
  return applied;
}
