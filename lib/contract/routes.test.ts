import { expect, test } from 'vitest';
import { z } from 'zod';
import { isSecret } from './fields/secret.ts';
import { allRoutes, findRead, isRead, routes } from './routes.ts';

test('the summary of a route is one phrase, and its description says the rest', () => {
  const summaries = allRoutes.map(({ summary }) => summary);
  expect(summaries.filter((text) => text.length > 100 || text.includes('.'))).toEqual([]);
});

test('a route is marked as one-time if its response contains a token, secret or code, and no other is', () => {
  const found = allRoutes.filter(({ response }) =>
    Object.values(response).some((body) => schemasIn(body).some(([, schema]) => isSecret(schema))),
  );
  const marked = allRoutes.filter(({ oneTime }) => oneTime);
  expect(marked.map(({ name }) => name)).toEqual(found.map(({ name }) => name));
});

test('every text in a response that is named like a token, secret or code is marked as one', () => {
  const names = /(^|_)(token|secret|password|link|uri|key|codes)$/;
  const unmarked = allRoutes.flatMap(({ name, response }) =>
    Object.values(response)
      .flatMap((body) => schemasIn(body))
      .filter(([field, schema]) => names.test(field) && schema instanceof z.ZodString)
      .filter(([, schema]) => !isSecret(schema))
      .map(([field]) => `${field} of ${name}`),
  );
  expect(unmarked).toEqual([]);
});

test('the browser reads what the dashboard may read, and nothing that is shown once', () => {
  expect(findRead('getApiKey')).toBe(routes.getApiKey);
  expect(isRead({ ...routes.getApiKey, oneTime: true })).toBe(false);
});

test.each([
  ['a mutation', 'updateApiKey'],
  ['a route that responds with a token', 'rotateApiKey'],
  ['a stream', 'exportAuditLog'],
  ['a route for people who are not signed in', 'getSetUp'],
  ['a route that only keys call', 'getCallingApiKey'],
  ['an inherited name', 'constructor'],
  ['an inherited name', '__proto__'],
  ['an inherited name', 'toString'],
  ['no name', ''],
])('the browser does not read %s: %s', (_what, name) => expect(findRead(name)).toBeNull());

/** Every schema within a schema, with the name of its field; of what is marked, not its parts. */
function schemasIn(schema: z.ZodType | null, name = ''): [name: string, schema: z.ZodType][] {
  if (schema === null) return [];
  return [[name, schema], ...(isSecret(schema) ? [] : partsOf(schema, name))];
}

function partsOf(schema: z.ZodType, name: string): [name: string, schema: z.ZodType][] {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape);
    return fields.flatMap(([field, inner]) => schemasIn(inner, field));
  }
  if (schema instanceof z.ZodUnion) {
    return (schema.options as z.ZodType[]).flatMap((option) => schemasIn(option, name));
  }
  if (schema instanceof z.ZodArray) return schemasIn(schema.element as z.ZodType, name);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return schemasIn(schema.unwrap() as z.ZodType, name);
  }
  return [];
}
