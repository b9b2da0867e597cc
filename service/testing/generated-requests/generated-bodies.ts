import fc from 'fast-check';
import type { z } from 'zod';
import { inputPlaces, isText, rightInput } from '#lib/testing/input-places.ts';
import type { InputPlace } from '#lib/testing/input-places.ts';
import { anyText, oddTextsFor } from './odd-texts.ts';

/**
 * Bodies for a route: valid ones, ones that are valid except in one place, and ones that are not
 * valid JSON for it.
 * @param right a valid body; by default an example from the contract
 */
export function generatedBodies(
  schema: z.ZodType,
  right?: unknown,
): fc.Arbitrary<string | Uint8Array> {
  const example = rightBodyOf(schema, right);
  const oddPlaces = inputPlaces(schema).map((place) => ({
    // A place where any text may be valid gets more attempts, because its requests get furthest.
    weight: isText(place.schema) ? 4 : 1,
    arbitrary: oddTextsFor(place.schema, 65_536).map((text) =>
      JSON.stringify(putInto(example, place, text)),
    ),
  }));
  const oddField = fc
    .tuple(fc.constantFrom(...fieldNames(example), '__proto__', 'constructor', 'x'), oddValue)
    .map(([name, value]) => JSON.stringify({ ...Object(example), [name]: value }));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(JSON.stringify(example)) },
    { weight: 9, arbitrary: fc.oneof(...oddPlaces) },
    { weight: 4, arbitrary: oddField },
    { weight: 1, arbitrary: fc.constantFrom(...noInputs) },
    { weight: 2, arbitrary: fc.constant(tooLarge) },
  );
}

/**
 * The example with the odd text in only one of its fields, so that nothing else causes the refusal.
 */
function putInto(example: unknown, place: InputPlace, text: string): unknown {
  const [field = ''] = place.path.split('.');
  const odd = place.put(text);
  if (!isObject(example) || !isObject(odd)) return odd;
  const name = place.path === '(name)' ? text : field;
  return { ...example, [name]: odd[name] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rightBodyOf(schema: z.ZodType, right: unknown): unknown {
  const examples = schema.meta()?.['examples'];
  return right ?? (Array.isArray(examples) ? examples[0] : rightInput(schema));
}

function fieldNames(example: unknown): string[] {
  return isObject(example) ? Object.keys(example) : [];
}

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(null, true, false, [], {}, [[[[[[]]]]]], 1e308, -0, 0, 60, '60', 604_801, -1),
  fc.array(anyText, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(
    Array.from({ length: 4000 }, () => 'webhooks:read'),
    Array.from({ length: 4000 }, () => '10.0.0.0/8'),
    Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index])),
    { message: 'x'.repeat(60_000) },
    { message: '\0', more: '\ud800' },
  ),
);

/**
 * Bodies that no route accepts, up to a megabyte of what is most expensive to parse. They are bytes
 * from the start: sending a long text takes more memory, which would disturb tests that measure
 * memory.
 */
const noInputs = [
  '',
  ' ',
  '{',
  '[',
  'null',
  '"',
  '0',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  'name=x&type=full',
  Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'),
  nested(20_000),
  nested(500_000),
  `{"name":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  `{"data":{"message":"x","a":${nested(10_000)}}}`,
  `[${'1,'.repeat(500_000)}1]`,
  `[${'{},'.repeat(300_000)}{}]`,
  '1'.repeat(1_000_000),
  manyNames(85_000),
  `{"data":${manyNames(85_000)}}`,
  `{"name":"${String.raw`\u0001`.repeat(170_000)}"}`,
  `{"${'a'.repeat(1_000_000)}":1}`,
].map((input) => Buffer.from(input));

/** Larger than any route accepts. */
export const tooLarge = Buffer.alloc(1_048_577, 'x');

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function manyNames(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
}
