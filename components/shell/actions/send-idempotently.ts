import { type ActionResult, isOutcomeUnknown } from '#lib/actions/action-result.ts';

/** A request for something that is shown once, and the key by which it can be sent again. */
export type IdempotentRequest<Input> = { input: Input; idempotencyKey: string };

/** The requests whose answer was lost, by what a person chose in the form. */
export type UnansweredRequests<Input> = Map<string, IdempotentRequest<Input>>;

export type IdempotentSubmit<Input, Result> = {
  /** What the person chose. */
  values: unknown;
  /** The request for it at this moment. */
  makeInput: () => Input;
  send: (request: IdempotentRequest<Input>) => Promise<Result>;
};

/**
 * Sends a request under an idempotency key of its own. If the answer to the same values was lost
 * before, sends that very request again, so that nothing is made twice.
 *
 * The whole request is kept, not only its key: what is made of the same values may differ from one
 * minute to the next, and the service refuses a known key with another body.
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
  if (isAnswerLost(result)) unanswered.set(chosen, request);
  // Only these say what became of the earlier request. A rate limit, for one, does not.
  else if (result.ok || result.code === 'VALIDATION_ERROR') unanswered.delete(chosen);
  return result;
}

/** After an internal error too the request may have been carried out. */
function isAnswerLost(result: ActionResult): boolean {
  return !result.ok && (isOutcomeUnknown(result) || result.code === 'INTERNAL_ERROR');
}
