import { expect, test } from 'vitest';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { deliveryState } from './delivery-state.ts';

const now = new Date('2026-11-20T10:30:00.000+00:00');
const active = { isWebhookActive: true, now };

test('a finished delivery shows its result, also if its webhook is inactive', () => {
  for (const isWebhookActive of [true, false]) {
    const at = { isWebhookActive, now };
    expect(stateOf('delivered', null, at)).toEqual({ mark: 'ok', label: 'Delivered' });
    expect(stateOf('failed', null, at)).toEqual({ mark: 'failed', label: 'Failed' });
    expect(stateOf('cancelled', null, at)).toEqual({ mark: 'ended', label: 'Cancelled' });
  }
});

test('a pending delivery says when it is tried next', () => {
  expect(stateOf('pending', '2026-11-20T10:34:00.000+00:00', active).label).toBe(
    'Sending in 4 min',
  );
  expect(stateOf('pending', '2026-11-20T10:29:59.000+00:00', active).label).toBe('Sending now');
});

test('a finished delivery shows its number of attempts if there were several', () => {
  const after = (status: Delivery['status'], attempts: number) =>
    deliveryState({ ...fresh, status, attempt_count: attempts }, active).label;
  expect(after('delivered', 1)).toBe('Delivered');
  expect(after('delivered', 3)).toBe('Delivered after 3 attempts');
  expect(after('failed', 1)).toBe('Failed');
  expect(after('failed', 8)).toBe('Failed after 8 attempts');
});

test('a pending delivery is “retrying” after a failed attempt, but not if it is sent again after a success', () => {
  const next = '2026-11-20T10:34:00.000+00:00';
  const tried = { ...fresh, attempt_count: 1, next_attempt_at: next };
  const failed = { ...tried, last_error: 'The receiver responded with 503.' };
  expect(deliveryState(failed, active).label).toBe('Retrying in 4 min');
  expect(deliveryState({ ...failed, next_attempt_at: null }, active).label).toBe('Retrying now');
  expect(deliveryState(tried, active).label).toBe('Sending in 4 min');
  expect(deliveryState(failed, { ...active, isWebhookActive: false }).label).toBe('On hold');
});

test('a pending delivery of an inactive webhook is held, not due', () => {
  const at = { isWebhookActive: false, now };
  expect(stateOf('pending', '2026-11-20T10:29:59.000+00:00', at)).toEqual({
    mark: 'paused',
    label: 'On hold',
  });
});

const fresh = {
  status: 'pending',
  attempt_count: 0,
  next_attempt_at: null,
  last_error: null,
} as const;

function stateOf(
  status: 'pending' | 'delivered' | 'failed' | 'cancelled',
  next: string | null,
  at: { isWebhookActive: boolean; now: Date },
) {
  return deliveryState({ ...fresh, status, next_attempt_at: next }, at);
}
