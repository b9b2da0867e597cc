'use client';

import { useLeaveGuard } from '#components/shell/leaving/use-leave-guard.ts';
import type { ActionResult } from '#lib/actions/action-result.ts';
import type { DeliveredInvitation } from '#lib/contract/people/invitations.ts';

type Call = () => Promise<ActionResult<{ data: DeliveredInvitation }>>;

/**
 * Guards a call whose response may contain the link of an invitation, which is then shown once:
 * until the response is there, the page asks before it is left.
 */
export function useGuardedInvitation(): (call: Call) => ReturnType<Call> {
  const guardRequest = useLeaveGuard();
  return async (call) =>
    await guardRequest('invitation link', call, (result) => result.ok && result.data.link !== null);
}
