import { expect, test } from 'vitest';

import { deliveryState } from './delivery-state.ts';

const now = new Date('2026-11-20T10:30:00.000+00:00');
const active = { isWebhookActive: true, now };

test('a delivery that is over says how it ended, whatever its webhook does', () => {
  for (const isWebhookActive of [true, false]) {
    const at = { isWebhookActive, now };
    expect(stateOf('delivered', null, at)).toEqual({ mark: 'ok', label: 'Delivered' });
    expect(stateOf('failed', null, at)).toEqual({ mark: 'failed', label: 'Failed' });
    expect(stateOf('cancelled', null, at)).toEqual({ mark: 'ended', label: 'Cancelled' });
  }
});

test('a pending delivery says when it is tried next', () => {
  expect(stateOf('pending', '2026-11-20T10:34:00.000+00:00', active).label).toBe('Next in 4 min');
  expect(stateOf('pending', '2026-11-20T10:29:59.000+00:00', active).label).toBe('Due now');
});

test('a pending delivery of an inactive webhook is held, not due', () => {
  const at = { isWebhookActive: false, now };
  expect(stateOf('pending', '2026-11-20T10:29:59.000+00:00', at)).toEqual({
    mark: 'paused',
    label: 'Held',
  });
});

function stateOf(
  status: 'pending' | 'delivered' | 'failed' | 'cancelled',
  next: string | null,
  at: { isWebhookActive: boolean; now: Date },
) {
  return deliveryState({ status, next_attempt_at: next }, at);
}
