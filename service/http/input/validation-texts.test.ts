import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { allRoutes } from '#lib/contract/routes.ts';
import { checkInput } from './check-input.ts';

/** A value that no field accepts. */
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'x',
  'x'.repeat(20_000),
  '\u202e',
  [],
  [null],
  [1],
  ['x'],
  ['x'.repeat(100)],
  Array.from({ length: 60 }, () => '192.0.2.0/24'),
  {},
  { any: 1 },
];

const inputs = allRoutes.flatMap(({ name, body, query }) =>
  [body, query].flatMap((schema) => (schema ? [[name, schema] as const] : [])),
);

describe('validation messages are in words for people', () => {
  test.each(inputs)('%s', (_name, schema) => {
    const messages = [...fieldsOf(schema), 'no_such_field'].flatMap((field) =>
      oddValues.flatMap((value) => messagesOn(schema, { field, value })),
    );
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message).not.toMatch(/invalid (input|option|string)|expected|received|undefined|NaN/i);
      expect(message).toMatch(/\.$/);
    }
  });
});

test('a message about a field that is not a name does not mention a name', () => {
  const named = inputs.flatMap(([route, schema]) =>
    fieldsOf(schema)
      .filter((field) => !field.endsWith('name'))
      .filter((field) =>
        oddValues.some((value) =>
          messagesOn(schema, { field, value }).some((text) => /\bname\b(?! the)/i.test(text)),
        ),
      )
      .map((field) => `${route}: ${field}`),
  );
  expect(named).toEqual([]);
});

test('a text in place of a list gets one message only', () => {
  const found = inputs.flatMap(([route, schema]) =>
    fieldsOf(schema).flatMap((field) =>
      ['', 'x'.repeat(100)]
        .map((value) => messagesOn(schema, { field, value }))
        .filter((messages) => messages.some((text) => /list/i.test(text)))
        .map((messages) => ({ field: `${route}: ${field}`, messages })),
    ),
  );
  expect(found.map(({ field }) => field)).toContain('createWebhook: events');
  expect(found.filter(({ messages }) => messages.length > 1)).toEqual([]);
});

function fieldsOf(schema: z.ZodType): string[] {
  return Object.keys((schema as z.ZodObject).shape);
}

function messagesOn(
  schema: z.ZodType,
  { field, value }: { field: string; value: unknown },
): string[] {
  const checked = checkInput(schema, { [field]: value });
  return ('details' in checked && checked.details[field]) || [];
}
