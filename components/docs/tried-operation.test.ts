import { expect, test } from 'vitest';
import { describeErrors, inputOf } from './tried-operation.ts';

test('the input has what was typed, in the part to which it belongs, and nothing that is empty', () => {
  const parameters = [
    { part: 'params', name: 'webhook' },
    { part: 'query', name: 'limit' },
    { part: 'query', name: 'cursor' },
  ] as const;
  expect(inputOf(parameters, { webhook: '7', limit: '20', cursor: '' })).toEqual({
    params: { webhook: '7' },
    query: { limit: '20' },
  });
  expect(inputOf(parameters, {})).toEqual({});
});

test('a message about a field of the body names the field', () => {
  expect(
    describeErrors({ name: ['Enter a name.', 'Use letters.'], body: ['Send an object.'] }),
  ).toBe('name: Enter a name. Use letters. Send an object.');
  expect(describeErrors({})).toBeUndefined();
});
