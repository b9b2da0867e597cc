import { expect, test } from 'vitest';
import { describeDeletion } from './describe-deletion.ts';

test.each([
  [{ apiKeys: 6, webhooks: 5 }, 'All 6 active keys and 5 webhooks stop working immediately.'],
  [{ apiKeys: 1, webhooks: 2 }, '1 active key and 2 webhooks stop working immediately.'],
  [{ apiKeys: 0, webhooks: 1 }, 'The webhook stops working immediately.'],
  [{ apiKeys: 0, webhooks: 0 }, 'The account has no active key and no webhook.'],
  [undefined, 'All keys and webhooks stop working immediately.'],
])('with the counts %j, the text names only what exists', (counts, sentence) => {
  expect(describeDeletion(counts).startsWith(sentence)).toBe(true);
});
