import { describe, expect, test } from 'vitest';
import { type WebhookState, webhookState } from '#components/shell/states/webhook-state.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { makeWebhook } from '../testing/make-webhook.ts';
import { deactivationTime, deactivationReason, inactiveReason } from './inactive-reason.ts';
import { type SecretWarning, secretWarnings } from './secret-warnings.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const failing = { failure_count: 3, failing_since: '2026-11-21T11:00:00.000+00:00' };
const inAnHour = '2026-11-21T13:00:00.000+00:00';
const anHourAgo = '2026-11-21T11:00:00.000+00:00';
const aMinuteAgo = '2026-11-21T11:59:00.000+00:00';

const unconfirmed = {
  since: anHourAgo,
  shown_to: { kind: 'person', id: 'ida', name: 'Ida' },
} as const;

describe('the conditions of the secret', () => {
  test.each<[string, Partial<Webhook>, SecretWarning[]]>([
    ['of a webhook with one confirmed secret', {}, []],
    [
      'that nobody was shown',
      { secret: { ...secret(anHourAgo), was_shown: false } },
      ['not-shown'],
    ],
    [
      'that nobody confirmed having, the most urgent first',
      { secret: { ...secret(anHourAgo, inAnHour), unconfirmed } },
      ['unconfirmed', 'old-secret-signs'],
    ],
    ['in its grace period', { secret: secret(anHourAgo, inAnHour) }, ['old-secret-signs']],
    [
      'in its grace period, of a paused webhook',
      { status: 'paused', secret: secret(anHourAgo, inAnHour) },
      ['old-secret-signs'],
    ],
    ['whose grace period has ended since', { secret: secret(anHourAgo, anHourAgo) }, []],
    [
      'of an incomplete set-up, which replaces it',
      { status: 'pending_setup', secret: { ...secret(anHourAgo), was_shown: false } },
      [],
    ],
  ])('%s', (_, over, conditions) => {
    expect(secretWarnings(makeWebhook(over), now)).toEqual(conditions);
  });
});

describe('webhookState', () => {
  test.each<[string, Partial<Webhook>, WebhookState]>([
    ['without failures', {}, 'active'],
    ['after one failure', { failure_count: 1, failing_since: aMinuteAgo }, 'active'],
    ['after two failures', { failure_count: 2, failing_since: aMinuteAgo }, 'active'],
    ['after three failures', { failure_count: 3, failing_since: aMinuteAgo }, 'failing'],
    [
      'just under five minutes after one failure',
      { failure_count: 1, failing_since: '2026-11-21T11:55:00.001+00:00' },
      'active',
    ],
    [
      'five minutes after one failure',
      { failure_count: 1, failing_since: '2026-11-21T11:55:00.000+00:00' },
      'failing',
    ],
    ['after one failure at an unknown time', { failure_count: 1 }, 'active'],
    ['after three failures, the first at an unknown time', { failure_count: 3 }, 'failing'],
    ['paused while it failed', { ...failing, status: 'paused' }, 'paused'],
    ['deactivated', { ...failing, status: 'deactivated' }, 'deactivated'],
    ['not set up', { status: 'pending_setup' }, 'pending_setup'],
  ])('%s', (_, over, state) => {
    expect(webhookState(makeWebhook(over), now)).toBe(state);
  });
});

test('a failing webhook is deactivated five days after it began to fail, at the earliest', () => {
  expect(deactivationTime({ failing_since: anHourAgo })).toEqual(
    new Date('2026-11-26T11:00:00.000Z'),
  );
  expect(deactivationTime({ failing_since: null })).toBeNull();
});

test.each<[string, Partial<Webhook>, string | undefined]>([
  ['active', {}, undefined],
  [
    'paused',
    { status: 'paused' },
    'The webhook is inactive, so no events are sent to it. Resume it first.',
  ],
  [
    'deactivated',
    { status: 'deactivated' },
    'The webhook is inactive, so no events are sent to it. Resume it first.',
  ],
  [
    'not set up',
    { status: 'pending_setup' },
    'The webhook is inactive, so no events are sent to it. Finish its set-up first.',
  ],
])('the first thing to do with a webhook that is %s', (_, over, advice) => {
  expect(inactiveReason(makeWebhook(over), true)).toBe(advice);
});

test('someone who cannot resume an inactive webhook is told whom to ask', () => {
  const reason = (status: Webhook['status']) => inactiveReason(makeWebhook({ status }), false);
  expect(reason('deactivated')).toContain('Ask an owner or admin to resume it.');
  expect(reason('pending_setup')).toContain('Ask an owner or admin to finish its set-up.');
});

test('every reason for a deactivation has a sentence', () => {
  expect(deactivationReason('gone')).toContain('410 Gone');
  expect(deactivationReason('failing')).toContain('5 days');
  expect(deactivationReason(null)).toBe('No reason was recorded.');
  expect(deactivationReason('Ended by the operator')).toBe('Ended by the operator.');
});

function secret(created: string, previousUntil: string | null = null): Webhook['secret'] {
  return { ...makeWebhook().secret, created_at: created, previous_valid_until: previousUntil };
}
