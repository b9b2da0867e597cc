import fc from 'fast-check';
import type { z } from 'zod';
import { worstTexts } from '#lib/testing/worst-texts.ts';

/**
 * Short texts of any code points, including lone surrogates. fast-check's own unit `binary` takes
 * much memory.
 */
export const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point)),
  maxLength: 30,
});

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
export function oddTextsFor(schema: z.ZodType, maxUnits: number): fc.Arbitrary<string> {
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
