import { ApiError, errorBody } from '#lib/api/api-error.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import { type AddressedInput, dataPath } from '#lib/paths/data-path.ts';
import { fetchData } from '#lib/queries/read.ts';
import type { TriedOperation } from '#lib/docs/trial.ts';

export type TriedInput = AddressedInput & { body?: unknown };

/** The response to an operation that was tried. */
export type Answer = {
  status: number;
  body: string;
  requestId: string | undefined;
  /** What is wrong, by field. */
  details: ErrorDetails;
  /** How long it took. */
  ms: number;
};

export async function readOperation(
  accountId: string,
  operation: string,
  input: AddressedInput,
): Promise<Answer> {
  const start = performance.now();
  const address = dataPath(accountId, operation, input);
  const answer = await fetchData(address, new AbortController().signal).then(
    (body) => ({ status: 200, body: asText(body), requestId: undefined, details: {} }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      const { status, requestId, details = {} } = error;
      return { status, body: asText(errorBody(error)), requestId, details };
    },
  );
  return { ...answer, ms: msSince(start) };
}

export function asText(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body, null, 2);
}

export function msSince(start: number): number {
  return Math.round(performance.now() - start);
}

/** What the person typed as the input of an operation, without what they left empty. */
export function inputOf(
  parameters: TriedOperation['parameters'],
  values: Readonly<Record<string, string>>,
): AddressedInput {
  const input: Partial<Record<'params' | 'query', Record<string, string>>> = {};
  for (const { part, name } of parameters) {
    const value = values[name] ?? '';
    if (value !== '') input[part] = { ...input[part], [name]: value };
  }
  return input;
}

/** Messages about fields of the body, with their names: "name: Use at most 60 characters." */
export function describeErrors(details: ErrorDetails): string | undefined {
  const messages = Object.entries(details).map(([field, texts]) =>
    field === 'body' ? texts.join(' ') : `${field}: ${texts.join(' ')}`,
  );
  return messages.length === 0 ? undefined : messages.join(' ');
}
