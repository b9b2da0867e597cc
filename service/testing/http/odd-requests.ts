import fc from 'fast-check';
import type { z } from 'zod';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { inputPlaces, isText } from '#lib/testing/input-places.ts';
import type { InputPlace } from '#lib/testing/input-places.ts';
import { worstTexts } from '#lib/testing/worst-texts.ts';

/** What a request has in place of what is right. */
export type OddPart =
  | { method: string }
  | { reference: string }
  | { query: string }
  | { headers: Record<string, string> }
  | { body: string | Uint8Array };

/**
 * One odd part for a request to a route, which is right otherwise, so that code after the first
 * refusals runs too.
 * @param right a valid body
 */
export function oddParts(route: RouteDefinition, right: unknown): fc.Arbitrary<OddPart> {
  const { path, query, body } = route;
  const options: fc.WeightedArbitrary<OddPart>[] = [
    { weight: 1, arbitrary: fc.constantFrom(...methods).map((method) => ({ method })) },
    { weight: 2, arbitrary: oddHeaders.map((headers) => ({ headers })) },
    { weight: query ? 6 : 1, arbitrary: queriesOf(route).map((odd) => ({ query: odd })) },
  ];
  if (path.includes('{')) {
    options.push({ weight: 3, arbitrary: oddReference.map((reference) => ({ reference })) });
  }
  if (route.method !== 'GET') {
    const odd = body ? oddBodies(body, right) : fc.constantFrom('null', '[]', '{', tooLarge);
    options.push({ weight: body ? 9 : 1, arbitrary: odd.map((given) => ({ body: given })) });
  }
  return fc.oneof(...options);
}

/**
 * Short texts of any code points, including lone surrogates. fast-check's own unit `binary` takes
 * much memory.
 */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point)),
  maxLength: 30,
});

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];

/** What may be sent as a part of a URL; the request line of a client has room for some 14 KB. */
const oddReference = fc.oneof(
  fc.constantFrom('1', '2', '0', '-1', '1e3', '0x1', '01', '1.0', '9'.repeat(30), '2147483648'),
  fc.constantFrom(
    '%00',
    'a%00b',
    '..',
    '%2e%2e',
    '%ff',
    '%',
    '%c0%80',
    '%ed%a0%80',
    'null',
    '{webhook}',
  ),
  fc.uuid(),
  fc
    .constantFrom(...worstTexts(1500).values())
    .map((text) => encodeURIComponent(text.toWellFormed())),
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
);

function queriesOf({ query }: RouteDefinition): fc.Arbitrary<string> {
  const places = query ? inputPlaces(query).filter(({ path }) => /^\w+$/.test(path)) : [];
  if (places.length === 0) return oddQuery;
  const pairs = places.map(({ path, schema }) =>
    fc
      .oneof(rightValues, oddTextsFor(schema, 1000))
      .map((value) => `${path}=${encodeURIComponent(value.toWellFormed())}`),
  );
  const several = fc.array(fc.oneof(...pairs), { maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: several.map((given) => given.join('&')) },
    { weight: 1, arbitrary: oddQuery },
  );
}

/** Values that are valid for some parameter. */
const rightValues = fc.constantFrom('1', '100', 'open', 'state', 'failed', '7d', 'webhook.test');

const oddQuery = fc.constantFrom(
  '',
  '&&&',
  '=',
  'limit',
  'limit=%',
  'limit=1&limit=2',
  'cursor=%ff',
  'cursor=%00',
  '__proto__=1',
  'constructor[prototype]=1',
  'x=1&'.repeat(2000),
  `cursor=${'a'.repeat(12_000)}`,
);

/** Texts that an HTTP parser accepts as the value of a header. */
const headerText = fc.oneof(
  fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')),
  fc.constantFrom(
    'again',
    'é\u00ff\u0080',
    ' '.repeat(3000),
    `${' '.repeat(3000)}x`,
    'x'.repeat(3000),
  ),
);
const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      `application/json;${' '.repeat(3000)}x`,
      `application/json${';charset=utf-8 '.repeat(200)}`,
      '',
    ),
    'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br', ''),
    Accept: fc.constantFrom('*/*', 'application/json', 'text/html'),
    'Idempotency-Key': headerText,
    'X-Request-Id': headerText,
    'X-Dashboard-Session': headerText,
    'X-Dashboard-Client': headerText,
    'X-Forwarded-For': headerText,
    'X-Client-Address': headerText,
    'User-Agent': headerText,
    Cookie: headerText,
  },
  { requiredKeys: [] },
);

/** Bodies that are valid except in one place, and ones that are not valid JSON for the route. */
function oddBodies(schema: z.ZodType, example: unknown): fc.Arbitrary<string | Uint8Array> {
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
const tooLarge = Buffer.alloc(1_048_577, 'x');

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function manyNames(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
}
/** The earliest and latest possible times, times beyond them, and texts that are almost a time. */
const oddTimes = fc.constantFrom(
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1970-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-12:00',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
);

/** Texts that a database cannot store, or a UTF-8 encoder cannot write. */
const unstorableTexts = fc.constantFrom('\0', 'a\0b', '\0\0\0\0', '\ud800', 'a\udc00b');

const shortTexts = fc.constantFrom(
  '',
  ' ',
  '\u202e',
  'ß'.repeat(300),
  "'; drop table api_keys; --",
  'https://example.com/x',
  'http://[::ffff:127.0.0.1]/',
  'https://example.com:99999/',
  '0.0.0.0/0',
  '::/129',
  'aWQ6MQ',
  'aWQ6OTk5OTk5OTk5OTk5OTk5OQ',
  '-1',
  '1e9',
);

/** Texts that are odd for any schema, with at most `maxUnits` UTF-16 code units. */
function oddTextsFor(schema: z.ZodType, maxUnits: number): fc.Arbitrary<string> {
  const worst = [100, maxUnits].flatMap(worstTextsOf);
  const odd = fc.oneof(
    anyText,
    { weight: 2, arbitrary: unstorableTexts },
    { weight: 2, arbitrary: shortTexts },
    { weight: 2, arbitrary: fc.constantFrom(...worst) },
  );
  return readsTime(schema) ? fc.oneof({ weight: 2, arbitrary: oddTimes }, odd) : odd;
}

/** Created once for each length: the texts for all places of all routes would take much memory. */
const worstTextsOf = memoize((units: number) => [...worstTexts(units).values()]);

function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

function readsTime(schema: z.ZodType): boolean {
  return (
    schema.safeParse('2026-11-20T12:00:00Z').success && !schema.safeParse('in a while').success
  );
}
