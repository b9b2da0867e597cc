import type { ErrorCode, ErrorDetails } from '../contract/error-codes.ts';

export type ActionFailure = {
  ok: false;
  /** PAGE_OUTDATED: the page is from before an upgrade, so the service did not take the call. */
  code: ErrorCode | 'PAGE_OUTDATED';
  message: string;
  /** Messages per field; those about no single field are under `body`. */
  details?: ErrorDetails | undefined;
  /** Whole seconds to wait. */
  retryAfter?: number | undefined;
  requestId?: string | undefined;
};

/**
 * Whether the service's response was lost, so that the action may have been carried out. A message
 * about such a failure says so, and whether trying again is safe.
 */
export function isOutcomeUnknown({ code }: Pick<ActionFailure, 'code'>): boolean {
  return code === 'UNAVAILABLE';
}

/** Whether nothing was done because the page is from before an upgrade. Only reloading it helps. */
export function isPageOutdated({ code }: Pick<ActionFailure, 'code'>): boolean {
  return code === 'PAGE_OUTDATED';
}

/**
 * Whether a request was sent again after a lost response, and the service can't repeat that
 * response: the request was carried out, but what it created is in use or was replaced, or too much
 * time has passed.
 */
export function isRepeatRefused({ details }: Pick<ActionFailure, 'details'>): boolean {
  return details?.['Idempotency-Key'] !== undefined;
}

/** What a server action returns. Failures are values: an exception would replace the page. */
export type ActionResult<Value extends object = object> = ({ ok: true } & Value) | ActionFailure;
