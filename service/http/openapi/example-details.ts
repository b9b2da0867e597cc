import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { detailsOf } from '../input/read-input.ts';
import type { Schemas } from './schemas.ts';

/**
 * `details` of the 422 an operation answers to some wrong input, in the service's own words: an
 * empty body, or one wrong field. Null for an operation that accepts anything.
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
    const { error } = schema.safeParse(input);
    if (error) return detailsOf(error);
  }
  return null;
}
