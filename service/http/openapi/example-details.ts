import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { checkInput, checkQuery } from '../input/check-input.ts';
import type { CheckedInput } from '../input/check-input.ts';
import type { Schemas } from './schemas.ts';

/**
 * Example `details` of the 422 of an operation, as the service words them: for an empty body, or
 * for one invalid field or unknown parameter. Null for an operation that accepts any input.
 */
export function exampleDetails(route: RouteDefinition, schemas: Schemas): ErrorDetails | null {
  const { body, query, stateRefusal } = route;
  if (stateRefusal) {
    return Object.fromEntries(
      Object.entries(stateRefusal).map(([field, messages]) => [field, [...messages]]),
    );
  }
  if (body) {
    const inputs = [{}, ...withOneFieldWrong(body, { value: [], schemas })];
    return firstRefusal(inputs, (input) => checkInput(body, input));
  }
  if (query) {
    const inputs = [
      ...withOneFieldWrong(query, { value: 'everything', schemas }),
      { sort: 'name' },
    ];
    return firstRefusal(inputs, (input) => checkQuery(query, input));
  }
  return null;
}

function withOneFieldWrong(
  schema: z.ZodType,
  { value, schemas }: { value: unknown; schemas: Schemas },
): unknown[] {
  return schemas.inputFields(schema).map(({ name }) => ({ [name]: value }));
}

function firstRefusal(
  inputs: unknown[],
  check: (input: unknown) => CheckedInput,
): ErrorDetails | null {
  for (const input of inputs) {
    const checked = check(input);
    if ('details' in checked) return checked.details;
  }
  return null;
}
