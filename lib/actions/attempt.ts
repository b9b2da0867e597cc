import 'server-only';
import { headers } from 'next/headers';
import { unstable_rethrow } from 'next/navigation';
import type { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { errorTable } from '../contract/error-codes.ts';
import type { ErrorDetails } from '../contract/error-codes.ts';
import { isSameOrigin } from '../same-origin.ts';
import type { ActionFailure, ActionResult } from './action-result.ts';

/**
 * The body of every server action: refuses other sites, checks the input by the contract's schema
 * before it travels, acts, and turns what the service refused into a value.
 * @throws Error for a call from elsewhere and for what nobody foresaw
 */
export async function attempt<Schema extends z.ZodType, Value extends object>(
  schema: Schema,
  input: unknown,
  act: (input: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  if (!isSameOrigin(await headers())) throw new Error('This action was called from elsewhere.');
  const parsed = await schema.safeParseAsync(input);
  if (!parsed.success) return invalidInput(parsed.error);
  try {
    return { ok: true, ...(await act(parsed.data)) };
  } catch (error) {
    unstable_rethrow(error);
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, retryAfter, requestId } = error;
    return { ok: false, code, message, details, retryAfter, requestId };
  }
}

function invalidInput(error: z.ZodError): ActionFailure {
  const details: ErrorDetails = {};
  for (const { path, message } of error.issues) {
    const field = path.length === 0 ? 'body' : String(path[0]);
    details[field] = [...new Set([...(details[field] ?? []), message])];
  }
  return {
    ok: false,
    code: 'VALIDATION_ERROR',
    message: errorTable.VALIDATION_ERROR.message,
    details,
  };
}
