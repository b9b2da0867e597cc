import { expect, test } from 'vitest';

import { groupErrorsByField } from './group-errors-by-field.ts';

test('the service’s messages go to their fields, and none is lost', () => {
  const details = { url: ['Use https.', 'Too long.'], body: ['At most 200 keys.'] };
  expect(groupErrorsByField(details, ['name', 'url'])).toEqual({
    errors: { url: 'Use https. Too long.' },
    rest: { body: ['At most 200 keys.'] },
  });
});
