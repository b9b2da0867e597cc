import { errorReasons, reasonsOfPeople } from '../error-reasons.ts';
import { keysOf } from '#lib/object-keys.ts';
import type { CallOutcome } from './call-outcomes.ts';

type Problem = {
  outcome: Exclude<CallOutcome, 'succeeded'>;
  status: number;
};

/** Problems that `error.reason` of a response does not name. */
const otherProblems = {
  token_ended: { outcome: 'refused', status: 401 },
  key_paused: { outcome: 'refused', status: 401 },
  forbidden: { outcome: 'refused', status: 403 },
  not_found: { outcome: 'client_error', status: 404 },
  method_not_allowed: { outcome: 'client_error', status: 405 },
  payload_too_large: { outcome: 'client_error', status: 413 },
  unsupported_media_type: { outcome: 'client_error', status: 415 },
  invalid_request: { outcome: 'client_error', status: 400 },
  unavailable: { outcome: 'failed', status: 503 },
  internal_error: { outcome: 'failed', status: 500 },
} as const satisfies Record<string, Problem>;

const reasonsOfKeys = keysOf(errorReasons).filter((reason) => !reasonsOfPeople.has(reason));

const problemsByCode = {
  FORBIDDEN: { outcome: 'refused', status: 403 },
  PROOF_REQUIRED: otherProblems.forbidden,
  SESSION_RENEWED: otherProblems.forbidden,
  VALIDATION_ERROR: { outcome: 'client_error', status: 422 },
  RATE_LIMIT_EXCEEDED: { outcome: 'limited', status: 429 },
} as const satisfies Record<(typeof errorReasons)[keyof typeof errorReasons]['code'], Problem>;

/** Why a call of a key did not succeed: `error.reason` of its response, or another problem. */
export type CallProblem = keyof typeof errorReasons | keyof typeof otherProblems;

export const callProblems: readonly CallProblem[] = [...reasonsOfKeys, ...keysOf(otherProblems)];

/** The outcome of a call with this problem, and the usual status of its response. */
export function aboutProblem(problem: CallProblem): Problem {
  return problem in otherProblems
    ? otherProblems[problem as keyof typeof otherProblems]
    : problemsByCode[errorReasons[problem as keyof typeof errorReasons].code];
}

/** The problem of a response of which only the status is known. */
export function problemOfStatus(status: number): CallProblem {
  const found = keysOf(otherProblems).find((problem) => otherProblems[problem].status === status);
  if (found) return found;
  if (status === 422) return 'invalid_input';
  if (status === 429) return 'operation_limit';
  return status >= 500 ? 'internal_error' : 'invalid_request';
}
