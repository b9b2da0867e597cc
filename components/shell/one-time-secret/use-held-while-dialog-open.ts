import { useEffect, useEffectEvent, useState } from 'react';
import { isDialogOpen } from '#components/ui/overlays/is-dialog-open.ts';
import { useLeaveGuards } from '../leaving/use-leave-guard.ts';

/**
 * Returns the value, but holds back its changes while a dialog is open or a secret is on its way to
 * one. For values whose change replaces the page: the secret would be lost.
 */
export function useHeldWhileDialogOpen<Value>(value: Value): Value {
  const { awaitsSecret } = useLeaveGuards();
  return useHeldByDialogs(value, awaitsSecret);
}

const tickMs = 250;

/**
 * Returns the value, but holds back its changes while a dialog is open. For values whose change
 * replaces the page: a dialog may show a secret, which would be lost.
 *
 * @param isHeldToo whether the caller has another reason to hold back changes now
 */
function useHeldByDialogs<Value>(value: Value, isHeldToo: () => boolean): Value {
  const [applied, setApplied] = useState(value);
  const apply = useEffectEvent(() => {
    if (!isDialogOpen() && !isHeldToo()) setApplied(value);
  });
  const isHeld = applied !== value;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(() => apply(), tickMs);
    return () => clearInterval(timer);
  }, [isHeld]);
  return applied;
}
