import { expect, test } from 'vitest';
import { anchorsOf } from './anchors.ts';

test.each([
  ['Rotate a key', 'rotate-a-key'],
  ['Two database roles', 'two-database-roles'],
  ['`npm run admin`, and its commands', 'npm-run-admin-and-its-commands'],
  ['Settings › Webhooks', 'settings--webhooks'],
  ['The person’s own sign-in', 'the-persons-own-sign-in'],
  ['The field `is_active`', 'the-field-is_active'],
  ['Read [the guide](guide.md)', 'read-the-guide'],
])('the heading "%s" has the anchor #%s', (heading, anchor) => {
  expect(anchorsOf(`# Title\n\n## ${heading}\n\nText.\n`)).toEqual(new Set(['title', anchor]));
});

test('headings with the same text have anchors with a number, from the second on', () => {
  const document = '# Keys\n\n## Rotate\n\n## Rotate\n\n### Rotate\n';
  expect([...anchorsOf(document)]).toEqual(['keys', 'rotate', 'rotate-1', 'rotate-2']);
});

test('a comment in a block of code is not a heading', () => {
  const document = '# Keys\n\n```sh\n# Rotate\nnpm start\n```\n\n## Revoke\n';
  expect([...anchorsOf(document)]).toEqual(['keys', 'revoke']);
});
