import { expect, test } from 'vitest';

import { groupErrorsByField } from './group-errors-by-field.ts';

const values = { name: '', url: '' };

test('the service’s messages go to their fields, and none is lost', () => {
  expect(
    groupErrorsByField({ url: ['Use https.', 'Too long.'], body: ['At most 200 keys.'] }, values),
  ).toEqual({ errors: { url: 'Use https. Too long.' }, rest: ['At most 200 keys.'] });
});

test('what every object has is no field', () => {
  expect(groupErrorsByField({ constructor: ['Unknown.'] }, values)).toEqual({
    errors: {},
    rest: ['Unknown.'],
  });
});
