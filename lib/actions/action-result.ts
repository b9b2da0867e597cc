import type { ErrorCode, ErrorDetails } from '../contract/error-codes.ts';

export type ActionFailure = {
  ok: false;
  code: ErrorCode;
  message: string;
  /** Messages per field; what concerns no single field stands under `body`. */
  details?: ErrorDetails | undefined;
  /** Whole seconds to wait. */
  retryAfter?: number | undefined;
  requestId?: string | undefined;
};

/**
 * Whether no answer came of the service, which says nothing about the act: it may have been done.
 * Whoever tells of the failure says so, and what it means to try again.
 */
export function isOutcomeUnknown({ code }: Pick<ActionFailure, 'code'>): boolean {
  return code === 'UNAVAILABLE';
}

/**
 * Whether a request whose answer was lost was sent again and cannot be repeated: it was carried out,
 * but what it made is in use or was replaced, or it is too long ago.
 */
export function isRepeatRefused({ details }: Pick<ActionFailure, 'details'>): boolean {
  return details?.['Idempotency-Key'] !== undefined;
}

/** What a server action returns: foreseeable failures are values, so that no form is lost to a throw. */
export type ActionResult<Value extends object = object> = ({ ok: true } & Value) | ActionFailure;
