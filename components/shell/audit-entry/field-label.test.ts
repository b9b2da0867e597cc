import { expect, test } from 'vitest';
import { fieldLabel, fieldWords } from './field-label.ts';

test.each([
  ['older_tokens', 'Older tokens'],
  ['name', 'Name'],
  ['webhook_id', 'Webhook ID'],
  ['url', 'URL'],
  ['valid_until', 'Valid until'],
  // As the pages of keys call them.
  ['allowed_cidrs', 'Allowed networks'],
  ['responsible', 'Responsible person'],
])('the field %s is called “%s”', (field, label) => {
  expect(fieldLabel(field)).toBe(label);
});

test('in the middle of a line, only abbreviations are in capitals', () => {
  expect(['last_four', 'is_active', 'url'].map(fieldWords)).toEqual(['last four', 'active', 'URL']);
});
