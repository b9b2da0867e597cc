import { expect, test } from 'vitest';
import { parsePayload } from './parse-payload.ts';

test('a JSON object is valid', () => {
  expect(parsePayload(' { "message": "Grüße", "n": [1] } ')).toEqual({
    ok: true,
    data: { message: 'Grüße', n: [1] },
  });
});

test.each([
  ['nothing', '  ', 'Enter a JSON object.'],
  ['a list', '[]', 'Enter a JSON object: it begins with {.'],
  ['null', 'null', 'Enter a JSON object: it begins with {.'],
  ['a text', '"message"', 'Enter a JSON object: it begins with {.'],
  ['broken JSON', '{\n  "message": "one",\n  oops\n}', 'This is not valid JSON, see line 3.'],
  ['JSON that ends too early', '{\n  "message": ', 'This is not valid JSON'],
])('%s is refused with advice', (_, text, error) => {
  const parsed = parsePayload(text);
  expect(parsed).toMatchObject({ ok: false });
  expect(parsed.ok ? '' : parsed.error).toContain(error);
});

test('the limit is 64 KiB, in bytes and without white space', () => {
  const fill = (count: number) => JSON.stringify({ m: 'é'.repeat(count) }, null, 2);
  expect(parsePayload(fill(32_764))).toMatchObject({ ok: true });
  expect(parsePayload(fill(32_765))).toEqual({
    ok: false,
    error: 'A payload has at most 64 KiB.',
  });
});
