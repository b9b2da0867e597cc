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

/** What a server action returns: foreseeable failures are values, so that no form is lost to a throw. */
export type ActionResult<Value extends object = object> = ({ ok: true } & Value) | ActionFailure;
