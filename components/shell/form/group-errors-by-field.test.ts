import { expect, test } from 'vitest';
import { groupErrorsByField } from './group-errors-by-field.ts';

test('messages are grouped by field, and all others are kept', () => {
  const details = { url: ['Use https.', 'Too long.'], body: ['At most 200 keys.'] };
  expect(groupErrorsByField(details, ['name', 'url'])).toEqual({
    errors: { url: 'Use https. Too long.' },
    rest: { body: ['At most 200 keys.'] },
  });
});
