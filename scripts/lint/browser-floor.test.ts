import { expect, test } from 'vitest';
import browserFloor from './browser-floor.ts';

/** What the rule says about a call of a method: `Map.groupBy(…)`, `map.values().map(…)`. */
function refusalsOf(object: object, method: string): string[] {
  const refusals: string[] = [];
  const rule = browserFloor.rules.supported.create({
    report: ({ message }) => void refusals.push(message),
  });
  const callee = {
    type: 'MemberExpression',
    object: { type: '', ...object },
    property: named(method),
  };
  rule.MemberExpression(callee);
  rule.CallExpression({ type: 'CallExpression', callee });
  return refusals;
}

const named = (name: string) => ({ type: 'Identifier', name });
const valuesOf = (name: string) => ({
  callee: { type: '', object: named(name), property: named('values') },
});

test.each([
  ['Object.groupBy', named('Object'), 'groupBy'],
  ['a method that Firefox got later', named('list'), 'toSpliced'],
  ['a method of iterators', valuesOf('map'), 'map'],
])('browser code may not call %s', (_, object, method) => {
  expect(refusalsOf(object, method)).not.toEqual([]);
});

test.each([
  ['what the dashboard adds', named('Map'), 'groupBy'],
  ['what it adds to arrays', named('list'), 'toSorted'],
  ['a method that all browsers have', named('list'), 'findLast'],
  ['a method of the array that Object.values returns', valuesOf('Object'), 'map'],
])('browser code may call %s', (_, object, method) => {
  expect(refusalsOf(object, method)).toEqual([]);
});
