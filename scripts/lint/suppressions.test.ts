import { expect, test } from 'vitest';
import suppressions from './suppressions.ts';

/** How many errors the rule reports for a file with this comment. */
function complaintsAbout(comment: string): number {
  let complaints = 0;
  const rule = suppressions.rules['require-reason'].create({
    sourceCode: { getAllComments: () => [{ value: comment }] },
    report: () => {
      complaints += 1;
    },
  });
  rule.Program();
  return complaints;
}

test.each([
  ' oxlint-disable-next-line no-console',
  ' eslint-disable no-console',
  ' oxlint-disable-next-line no-console -- todo',
  ' oxlint-disable-next-line no-console --because nothing else prints',
  ' oxfmt-ignore',
  ' v8 ignore next',
])('a suppression without a reason, or with a very short one, is refused: //%s', (comment) => {
  expect(complaintsAbout(comment)).toBe(1);
});

test.each([
  ' oxlint-disable-next-line no-console -- this is a command-line program',
  ' oxfmt-ignore -- the columns of this table stand under one another',
  ' Says why eslint-disable is refused.',
])('a suppression with its reason, or any other comment, passes: //%s', (comment) => {
  expect(complaintsAbout(comment)).toBe(0);
});
