'use client';

import { useLeaveGuard } from '#components/shell/leaving/use-leave-guard.ts';
import type { ActionResult } from '#lib/actions/action-result.ts';

/**
 * Sends a request, and asks before the page is left while the response may contain recovery codes.
 */
type GuardCodes = <Result extends ActionResult<{ data: { recovery_codes: string[] | null } }>>(
  request: () => Promise<Result>,
) => Promise<Result>;

/** @param bringsCodes only the first second factor brings recovery codes */
export function useCodesGuard(bringsCodes: boolean): GuardCodes {
  const guardRequest = useLeaveGuard();
  return async (request) =>
    bringsCodes
      ? await guardRequest(
          'recovery codes',
          request,
          (result) => result.ok && result.data.recovery_codes !== null,
        )
      : await request();
}
