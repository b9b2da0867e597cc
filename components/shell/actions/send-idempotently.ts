import { type ActionResult, isOutcomeUnknown } from '#lib/actions/action-result.ts';

/** A request that creates something that is shown once, with its idempotency key. */
export type IdempotentRequest<Input> = { input: Input; idempotencyKey: string };

/** The requests whose response was lost, by the values of the form. */
export type UnansweredRequests<Input> = Map<string, IdempotentRequest<Input>>;

export type IdempotentSubmit<Input, Result> = {
  /** The values of the form. */
  values: unknown;
  /** The request for these values at this time. */
  makeInput: () => Input;
  send: (request: IdempotentRequest<Input>) => Promise<Result>;
};

/**
 * Sends a request with an idempotency key. If the response to a request with the same values was
 * lost before, sends that request again, so that nothing is created twice.
 *
 * The whole request is stored, not only its key: the same values can give another request a minute
 * later, and the service refuses a known idempotency key with another body.
 */
export async function sendIdempotently<Input, Result extends ActionResult>(
  unanswered: UnansweredRequests<Input>,
  { values, makeInput, send }: IdempotentSubmit<Input, Result>,
): Promise<Result> {
  const chosen = JSON.stringify(values);
  const request = unanswered.get(chosen) ?? {
    input: makeInput(),
    idempotencyKey: crypto.randomUUID(),
  };
  const result = await send(request);
  if (isResponseLost(result)) unanswered.set(chosen, request);
  // Only these responses tell the result of the earlier request. A rate limit, for example, does
  // not.
  else if (result.ok || result.code === 'VALIDATION_ERROR') unanswered.delete(chosen);
  return result;
}

/** The request may have been carried out after an internal error as well. */
function isResponseLost(result: ActionResult): boolean {
  return !result.ok && (isOutcomeUnknown(result) || result.code === 'INTERNAL_ERROR');
}
