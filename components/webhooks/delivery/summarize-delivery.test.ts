import { expect, test } from 'vitest';
import { summarizeDelivery } from './summarize-delivery.ts';

const now = new Date('2026-11-21T10:00:00Z');
const active = { isWebhookActive: true, now };
const pending = {
  status: 'pending',
  attempt_count: 2,
  next_attempt_at: '2026-11-21T10:04:12.000+00:00',
} as const;

test('a delivered delivery has no summary', () => {
  expect(summarizeDelivery({ ...pending, status: 'delivered' }, active)).toBe(null);
});

test('a failure says after how many attempts, unless there was only one', () => {
  const failed = { status: 'failed', next_attempt_at: null } as const;
  expect(summarizeDelivery({ ...failed, attempt_count: 8 }, active)).toEqual({
    tone: 'bad',
    title: 'Gave up after 8 attempts',
  });
  expect(summarizeDelivery({ ...failed, attempt_count: 1 }, active)?.title).toBe('Not delivered');
});

test('a pending delivery says when its next attempt is, or that it is held while the webhook is inactive', () => {
  expect(summarizeDelivery(pending, active)).toEqual({
    tone: 'warn',
    title: 'Next attempt in 4 min',
  });
  expect(summarizeDelivery(pending, { isWebhookActive: false, now })?.title).toMatch(/^On hold/);
});

test('a delivery that is due says that it is being sent, or that its next attempt is due', () => {
  const due = { ...pending, next_attempt_at: null };
  expect(summarizeDelivery(due, active)?.title).toBe('The next attempt is due');
  expect(summarizeDelivery({ ...due, attempt_count: 0 }, active)?.title).toBe('Sending now');
});
