import type { ErrorCode } from './error-codes.ts';

type ReasonOfError = {
  code: Extract<
    ErrorCode,
    'FORBIDDEN' | 'PROOF_REQUIRED' | 'SESSION_RENEWED' | 'VALIDATION_ERROR' | 'RATE_LIMIT_EXCEEDED'
  >;
  /** The heading of its page. */
  title: string;
  /** What happened. */
  cause: string;
  /** What the caller can do. */
  remedy: string;
};

/** Every reason of a 403, 422 or 429 (`error.reason`). `error.doc_url` links to its page. */
export const errorReasons = {
  scope: {
    code: 'FORBIDDEN',
    title: 'The API key lacks a scope',
    cause: 'The operation requires a scope that the API key does not have. See `required_scope`.',
    remedy:
      'Add the scope to the key under Settings › API keys, or call with a key that has it. A change of scopes applies to the next call; the token stays the same.',
  },
  network: {
    code: 'FORBIDDEN',
    title: 'The address is not allowed',
    cause:
      'The API key may only be used from certain networks, and the call came from another address.',
    remedy:
      'Call from an allowed network, or add the address to the allowed networks of the key. The page of the key shows refused calls with their addresses.',
  },
  old_token: {
    code: 'FORBIDDEN',
    title: 'The token was replaced by a rotation',
    cause:
      'The token is in its grace period. It still reads and writes, but it can no longer create, change, rotate or revoke API keys.',
    remedy: 'Use the newest token of the key.',
  },
  own_limits: {
    code: 'FORBIDDEN',
    title: 'The request exceeds the limits of the API key',
    cause:
      'An API key can create, change, rotate and revoke only keys that can do no more than itself: no other scopes, no later expiry, no other networks and no higher rate limit.',
    remedy: 'Request fewer rights, call with a key that has them, or do it in the dashboard.',
  },
  self_rotation: {
    code: 'FORBIDDEN',
    title: 'The API key may not rotate itself',
    cause: 'The key has no `api-keys:manage` scope, and no owner or admin lets it rotate itself.',
    remedy: 'Turn on “May rotate itself” for the key, or rotate it in the dashboard.',
  },
  people_only: {
    code: 'FORBIDDEN',
    title: 'API keys cannot do this',
    cause: 'Only people who are signed in to the dashboard can do this. No scope allows it.',
    remedy: 'Do it in the dashboard.',
  },
  keys_only: {
    code: 'FORBIDDEN',
    title: 'Only an API key can do this',
    cause: 'The operation is about the API key that calls, and a person called it.',
    remedy: 'Call it with the token of an API key.',
  },
  role: {
    code: 'FORBIDDEN',
    title: 'Your role does not allow this',
    cause: 'Your role in the account does not allow the operation, or not for this key or person.',
    remedy: 'Ask an owner or an admin to do it, or to change your role.',
  },
  other_person: {
    code: 'FORBIDDEN',
    title: 'Only another person can do this',
    cause:
      'The token, secret or invitation was shown or sent to another person, and only they can do this.',
    remedy: 'Ask the person named in the message.',
  },
  second_factor: {
    code: 'FORBIDDEN',
    title: 'The account requires a second factor',
    cause: 'You have no second factor, and this account is open only to people who have one.',
    remedy: 'Set one up under Security, and then try again.',
  },
  support_reason: {
    code: 'FORBIDDEN',
    title: 'Installation support has to give a reason first',
    cause: 'You open this account as installation support and have not said why.',
    remedy: 'Load the page again and give a reason. The owners of the account can see it.',
  },
  proof: {
    code: 'PROOF_REQUIRED',
    title: 'Confirm that it is you',
    cause: 'The action is sensitive, and you gave your password or passkey some time ago.',
    remedy:
      'Give your password or passkey when the dashboard asks for it. API keys never get this error.',
  },
  session_renewed: {
    code: 'SESSION_RENEWED',
    title: 'The session was renewed',
    cause: 'The request used the previous token of a session. API keys never get this error.',
    remedy: 'Try again. If it fails again, sign in again.',
  },
  invalid_input: {
    code: 'VALIDATION_ERROR',
    title: 'The input is not valid',
    cause:
      'A field, parameter or header is missing, unknown or not valid, or the state of the resource does not allow the operation. `details` has the messages for each field.',
    remedy: 'Correct the fields in `details`. Sending the same request again does not help.',
  },
  idempotency_key: {
    code: 'VALIDATION_ERROR',
    title: 'The idempotency key cannot be used',
    cause:
      'The `Idempotency-Key` is not valid, was used for another request, or its first request is still in progress.',
    remedy: 'Send a new key for each new request, and the same key only to repeat a request.',
  },
  quota: {
    code: 'VALIDATION_ERROR',
    title: 'The account has reached its quota',
    cause: 'The account already has as many API keys or webhooks as it can have.',
    remedy: 'Revoke or delete one that is no longer used, or ask the operator to allow more.',
  },
  key_limit: {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'Too many calls in a minute',
    cause: 'The API key, or the person in the dashboard, used up its calls of this minute.',
    remedy:
      'Wait `retry_after` seconds. `RateLimit` in each response has the number of calls that are left.',
  },
  account_limit: {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'Too many calls of the account in a minute',
    cause: 'All API keys of the account together used up its calls of this minute.',
    remedy:
      'Wait `retry_after` seconds. Calls that revoke or rotate keys do not count against this limit.',
  },
  creation_limit: {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'Too many creations in an hour',
    cause: 'Too many API keys and webhooks were created within an hour.',
    remedy: 'Wait `retry_after` seconds. Use existing keys and webhooks again instead of new ones.',
  },
  authentication_limit: {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'Too many failed authentications',
    cause: 'Too many calls from this address had no valid API key.',
    remedy: 'Wait `retry_after` seconds, and check the token that your client sends.',
  },
  stream_limit: {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'Too many open streams',
    cause: 'The account has as many open streams of events as it can have.',
    remedy: 'Close one that is no longer used, and try again after `retry_after` seconds.',
  },
  operation_limit: {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'Too many calls of one operation',
    cause: 'The operation has a limit of its own, for example one retry of a delivery per minute.',
    remedy: 'Wait `retry_after` seconds.',
  },
} as const satisfies Record<string, ReasonOfError>;

export type ErrorReason = keyof typeof errorReasons;

/** The reasons that only people in the dashboard get. */
export const reasonsOfPeople: ReadonlySet<ErrorReason> = new Set([
  'keys_only',
  'role',
  'other_person',
  'second_factor',
  'support_reason',
  'proof',
  'session_renewed',
]);

export type ReasonOf<Code extends ErrorCode> = {
  [Reason in ErrorReason]: (typeof errorReasons)[Reason]['code'] extends Code ? Reason : never;
}[ErrorReason];

/** The reason of an error of which nothing more is known; null for codes without reasons. */
export const usualReasons: Partial<Record<ErrorCode, ErrorReason>> = {
  PROOF_REQUIRED: 'proof',
  SESSION_RENEWED: 'session_renewed',
  VALIDATION_ERROR: 'invalid_input',
  RATE_LIMIT_EXCEEDED: 'operation_limit',
};

export function errorPagePath(reason: ErrorReason): string {
  return `/docs/errors/${reason}`;
}
