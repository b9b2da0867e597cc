import { useLeaveGuard } from '#components/shell/leaving/use-leave-guard.ts';
import type { ActionResult } from '#lib/actions/action-result.ts';

/** Sends a request, and asks before the page is left while it may bring recovery codes. */
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

/** Advice if the response to adding a second factor was lost: it may have been added. */
export function adviceIfLost(factor: 'app' | 'passkey', isFirst: boolean): string {
  const look = `Close this dialog to see whether the ${factor} was added.`;
  return isFirst
    ? `${look} If so, press Create new codes: you have not seen your recovery codes.`
    : look;
}
