import { z } from 'zod';
import { boundedText, rawText } from './fields/bounded-text.ts';
import type { RouteDefinition } from './route.ts';

/**
 * A value in a path: an integer, a UUID, or the id of a session. `.` and `..` are refused, because a
 * URL resolves them to another path.
 */
export const pathParameter = boundedText(64).regex(/^(?!\.{0,2}$)[^\0]+$/, 'Use an id.');

const maxIdempotencyKeyLength = 255;

/** The value of the header `Idempotency-Key`. */
export const idempotencyKey = rawText(maxIdempotencyKeyLength, {
  tooLong: idempotencyKeyAdvice(),
}).regex(/^[\x21-\x7e]+$/, idempotencyKeyAdvice());

function idempotencyKeyAdvice(): string {
  return `Use 1 to ${maxIdempotencyKeyLength} visible ASCII characters without spaces.`;
}

const inputs = new WeakMap<RouteDefinition, z.ZodType>();

/** The whole input of a call by the dashboard: path parameters, query, body, idempotency key. */
export function routeInput(route: RouteDefinition): z.ZodType {
  const input = inputs.get(route) ?? makeInput(route);
  inputs.set(route, input);
  return input;
}

function makeInput({ path, query, body, onRepeat, ...route }: RouteDefinition): z.ZodType {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = z.strictObject(Object.fromEntries(names.map((name) => [name, pathParameter])));
  return z.strictObject({
    ...(names.length > 0 && { params }),
    ...(query && { query: query.prefault({}) }),
    ...(body && { body: (route.bodyDraft ?? body).prefault({}) }),
    ...(onRepeat && { idempotencyKey }),
  });
}
