import { describe, expect, test } from 'vitest';
import { isReadableByNext } from './is-readable-by-next.ts';

const call = { method: 'POST', headers: { 'next-action': 'ab', 'content-type': 'text/plain' } };

function isReadable(body: string): boolean {
  return isReadableByNext(call, Buffer.from(body));
}

describe('the arguments of an action are read', () => {
  test.each([
    ['of none', []],
    ['of plain values', ['1', { name: 'Key', scopes: ['a', 'b'], expires_at: null, count: 0.5 }]],
    ['with values that JSON lacks', ['$undefined', { a: '$NaN', b: '$-Infinity', c: '$-0' }]],
    ['with a text that begins with $', [{ name: '$$0', other: '$$', third: 'a $b' }]],
    ['with an object that occurs twice', [{ a: { b: ['c'] }, d: '$0:0:a:b' }, '$0:0:a']],
  ])('%s', (_, args) => {
    expect(isReadable(JSON.stringify(args))).toBe(true);
  });
});

describe('the arguments of an action are refused', () => {
  test.each([
    ['that are no JSON', '[{]'],
    ['that are empty', ''],
    ['that are no list', '{"length":100000000}'],
    ['that are one text', '"a"'],
    ['that are null', 'null'],
    ['nested too deep', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['of too many values', `[[${'0,'.repeat(6000)}0]]`],
    ['with a reference to a part that is missing', '["$1"]'],
    ['with a reference to a field that does not exist', '[{"a":1},"$0:0:b"]'],
    ['with a reference to a property of a text', '[{"a":"bc"},"$0:0:a:length"]'],
    ['with a reference to a later argument', '["$0:1",{}]'],
    ['with a reference to the list that contains it', '[["$0:0"]]'],
    [
      'with a reference by a name that React leaves out',
      '[{"__proto__":{"a":1}},"$0:0:__proto__"]',
    ],
    ['with a reference by an inherited name', '[{},"$0:0:constructor"]'],
  ])('%s', (_, body) => {
    expect(isReadable(body)).toBe(false);
  });

  test.each([
    '$@1',
    '$h1',
    '$F1',
    '$T',
    '$Q1',
    '$W1',
    '$K1',
    '$i1',
    '$n99',
    '$D2026',
    '$B1',
    '$R1',
    '$x1',
    '$',
    '$0x',
    '$S',
  ])('with %s', (text) => {
    expect(isReadable(JSON.stringify([{ name: text }]))).toBe(false);
  });

  test('in parts', () => {
    for (const type of ['multipart/form-data; boundary=x', 'Multipart/Mixed', ' multipart/x']) {
      for (const action of [{}, { 'next-action': 'ab' }]) {
        const headers = { ...action, 'content-type': type };
        expect(isReadableByNext({ method: 'POST', headers }, Buffer.from('[]'))).toBe(false);
      }
    }
  });

  test('as those of a form', () => {
    const headers = { ...call.headers, 'content-type': 'application/x-www-form-urlencoded' };
    expect(isReadableByNext({ method: 'POST', headers }, Buffer.from('[]'))).toBe(false);
  });
});

test('requests that are not calls of an action are left to Next', () => {
  expect(isReadableByNext({ method: 'GET', headers: call.headers }, Buffer.from(''))).toBe(true);
  expect(isReadableByNext({ method: 'POST', headers: {} }, Buffer.from('a=b'))).toBe(true);
});
