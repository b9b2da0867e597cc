'use client';

import { useHeldByDialogs } from '#components/ui/overlays/use-held-by-dialogs.ts';

import { useLeaveGuards } from '../leaving/use-leave-guard.ts';

/**
 * Returns the value, but holds back its changes while a dialog is open or a secret is on its way to
 * one. For values whose change replaces the page: the secret would be lost.
 */
export function useHeldBySecrets<Value>(value: Value): Value {
  const { awaitsSecret } = useLeaveGuards();
  return useHeldByDialogs(value, awaitsSecret);
}
