/**
 * Every error of the API: its HTTP status and message. The first five are in the specification's
 * table (Errors); the rest are ours.
 */
export const errorTable = {
  UNAUTHORIZED: { status: 401, message: 'Invalid or revoked API key' },
  FORBIDDEN: { status: 403, message: 'You do not have permission to access this resource.' },
  NOT_FOUND: { status: 404, message: 'The requested resource was not found.' },
  VALIDATION_ERROR: { status: 422, message: 'The given data was invalid.' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests. Please slow down.' },
  PROOF_REQUIRED: { status: 403, message: 'Confirm that it is you to do this.' },
  SESSION_RENEWED: {
    status: 403,
    message:
      'Your session was renewed, and this request used the previous session token. Try again. If it fails again, sign in again.',
  },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This method is not allowed here.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message:
      'Send the body as JSON in UTF-8, without compression, with the header Content-Type: application/json.',
  },
  BAD_REQUEST: { status: 400, message: 'The request is not valid HTTP, or its path is not valid.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The path and headers are larger than 16 KiB.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong.' },
  UNAVAILABLE: { status: 503, message: 'The service is not available right now. Try again soon.' },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** The body of a 401 for a request that carries no key at all (specification, Authentication 5). */
export const unauthenticatedMessage = 'Unauthenticated.';

/** Messages per field name; the field `body` stands for the request body as a whole. */
export type ErrorDetails = Record<string, string[]>;
