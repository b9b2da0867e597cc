import 'server-only';
import { headers } from 'next/headers';
import { unstable_rethrow } from 'next/navigation';
import type { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { getSession } from '../api/people/session.ts';
import { errorTable } from '../contract/error-codes.ts';
import type { ErrorDetails } from '../contract/error-codes.ts';
import { isSameOrigin } from '../session/same-origin.ts';
import type { ActionFailure, ActionResult } from './action-result.ts';
import { isSmallInput } from './is-small-input.ts';

/**
 * Runs a server action for a person who is signed in: rejects calls from other sites and without a
 * session, validates the arguments, calls `act`, and returns errors of the service as values.
 * @throws Error for a call from another site and for unexpected errors
 */
export async function runServerAction<Schema extends z.ZodType, Value extends object>(
  schema: Schema,
  given: unknown,
  act: (checked: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  await refuseOtherSites();
  return await asResult(async () => {
    await getSession();
    return await actOnInput(schema, given, act);
  });
}

/**
 * Like `runServerAction`, for an action that anybody may call. Large arguments are rejected here, because
 * Next accepts an action's call on any page: nothing before this knows which action is called.
 */
export async function runPublicServerAction<Schema extends z.ZodType, Value extends object>(
  schema: Schema,
  given: unknown,
  act: (checked: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  await refuseOtherSites();
  if (!isSmallInput(given, maxUnitsFromAnyone)) {
    return { ok: false, code: 'PAYLOAD_TOO_LARGE', message: 'Send at most 16 KiB.' };
  }
  return await asResult(async () => await actOnInput(schema, given, act));
}

const maxUnitsFromAnyone = 16_384;

async function refuseOtherSites(): Promise<void> {
  if (!isSameOrigin(await headers()))
    throw new Error('A server action was called from another site.');
}

async function actOnInput<Schema extends z.ZodType, Value extends object>(
  schema: Schema,
  given: unknown,
  act: (checked: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  const parsed = await schema.safeParseAsync(given);
  if (!parsed.success) return invalidInput(parsed.error);
  return { ok: true, ...(await act(parsed.data)) };
}

async function asResult<Result extends ActionResult>(
  call: () => Promise<Result>,
): Promise<Result | ActionFailure> {
  try {
    return await call();
  } catch (error) {
    unstable_rethrow(error);
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, retryAfter, requestId } = error;
    return { ok: false, code, message, details, retryAfter, requestId };
  }
}

/**
 * The messages by field, whichever argument has the field; messages about no single field are under
 * `body`.
 */
function invalidInput(error: z.ZodError): ActionFailure {
  const details: ErrorDetails = {};
  for (const issue of error.issues) {
    const [, field = 'body'] = issue.path;
    // zod's own message would repeat the names, which may be very long.
    const message = issue.code === 'unrecognized_keys' ? 'A field is unknown.' : issue.message;
    details[String(field)] = [...new Set([...(details[String(field)] ?? []), message])];
  }
  return {
    ok: false,
    code: 'VALIDATION_ERROR',
    message: errorTable.VALIDATION_ERROR.message,
    details,
  };
}
