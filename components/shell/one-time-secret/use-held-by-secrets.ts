'use client';

import { useHeldByDialogs } from '#components/ui/overlays/use-held-by-dialogs.ts';

import { useLeaveGuards } from './leave-guard.tsx';

/**
 * The value as it is while no dialog is open and no secret is on its way to one; its changes wait
 * until then. For what replaces the page, and would lose the secret with it.
 */
export function useHeldBySecrets<Value>(value: Value): Value {
  const { awaitsSecret } = useLeaveGuards();
  return useHeldByDialogs(value, awaitsSecret);
}
