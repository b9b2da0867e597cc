import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { checkInput } from '../input/check-input.ts';
import type { Schemas } from './schemas.ts';

/**
 * Example `details` of the 422 of an operation, as the service words them: for an empty body, or
 * for one invalid field. Null for an operation that accepts any input.
 */
export function exampleDetails(route: RouteDefinition, schemas: Schemas): ErrorDetails | null {
  const { body, query, stateRefusal } = route;
  if (stateRefusal) {
    return Object.fromEntries(
      Object.entries(stateRefusal).map(([field, messages]) => [field, [...messages]]),
    );
  }
  if (body) return firstRefusal(body, [{}, ...withOneFieldWrong(body, { value: [], schemas })]);
  if (query) return firstRefusal(query, withOneFieldWrong(query, { value: 'everything', schemas }));
  return null;
}

function withOneFieldWrong(
  schema: z.ZodType,
  { value, schemas }: { value: unknown; schemas: Schemas },
): unknown[] {
  return schemas.inputFields(schema).map(({ name }) => ({ [name]: value }));
}

function firstRefusal(schema: z.ZodType, inputs: unknown[]): ErrorDetails | null {
  for (const input of inputs) {
    const checked = checkInput(schema, input);
    if ('details' in checked) return checked.details;
  }
  return null;
}
