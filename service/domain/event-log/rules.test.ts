import { describe, expect, test } from 'vitest';
import type { EventType } from '#lib/contract/events/events.ts';
import { judge, type WebhookChange } from './rules.ts';

const hour = (hours: number) => new Date(Date.UTC(2026, 10, 24, hours));
const text = (hours: number) => `2026-11-24T${String(hours).padStart(2, '0')}:00:00.000+00:00`;

const event = {
  type: 'message.created' as const,
  createdAt: hour(12),
  aboutWebhookId: null,
  filteredOut: null,
};
const messages: EventType[] = ['message.created'];
const active = {
  id: 1,
  events: messages,
  isActive: true,
  inactiveSince: null,
  inactiveReason: null,
  createdAt: hour(1),
};

function verdict(
  changes: WebhookChange[],
  { webhook = active, knownSince = hour(0) }: { webhook?: typeof active; knownSince?: Date } = {},
) {
  const history = { changes: changes.toReversed(), knownSince };
  const { outcome, sentence } = judge({
    event,
    webhook,
    delivery: null,
    lastDurationMs: null,
    history,
    now: hour(20),
  });
  return [outcome, sentence];
}

const updated = (at: number, changes: Record<string, unknown>): WebhookChange => ({
  at: hour(at),
  action: 'webhook.updated',
  changes,
});
const paused = (at: number) => updated(at, { is_active: { from: true, to: false } });
const resumed = (at: number, more = {}) =>
  updated(at, { is_active: { from: false, to: true }, ...more });
const created = (at: number, isActive: boolean): WebhookChange => ({
  at: hour(at),
  action: 'webhook.created',
  changes: { is_active: isActive, events: messages },
});
const deactivated = (at: number): WebhookChange => ({
  at: hour(at),
  action: 'webhook.deactivated',
  changes: { reason: 'gone' },
});
const subscribedTo = (at: number, from: string[], to: string[]) =>
  updated(at, { events: { from, to } });

describe('why an event has no delivery is read from the changes of its webhook:', () => {
  test.each<[what: string, changes: WebhookChange[], outcome: string, sentence: string]>([
    [
      'paused around it',
      [paused(10), resumed(14)],
      'paused',
      `Paused then, from ${text(10)} until ${text(14)}.`,
    ],
    [
      'the pause around it, and not another one',
      [paused(3), resumed(4), paused(11), resumed(13), paused(15), resumed(16)],
      'paused',
      `Paused then, from ${text(11)} until ${text(13)}.`,
    ],
    [
      'deactivated around it',
      [deactivated(10), resumed(14, { backlog: 'skip' })],
      'deactivated',
      `Deactivated then, from ${text(10)} until ${text(14)}, and resumed without its backlog.`,
    ],
    [
      'activated after it',
      [created(1, false), resumed(14)],
      'set_up',
      `Not activated then, from ${text(1)} until ${text(14)}.`,
    ],
    [
      'inactive around it, for a reason that is not recorded',
      [resumed(14)],
      'not_made',
      `Not sent: the webhook was inactive until ${text(14)}.`,
    ],
    [
      'subscribed after it',
      [subscribedTo(14, ['conversation.closed'], messages)],
      'not_subscribed',
      `Not subscribed to message.created then, only since ${text(14)}.`,
    ],
    [
      'changed in other ways',
      [paused(3), resumed(4), subscribedTo(5, [], messages), paused(15), resumed(16)],
      'not_made',
      'Not sent. The reason is not recorded.',
    ],
  ])('%s', (_, changes, outcome, sentence) => {
    expect(verdict(changes)).toEqual([outcome, sentence]);
  });

  test('not claimed for a time from before the first recorded change', () => {
    expect(verdict([resumed(14)], { knownSince: hour(13) })).toEqual([
      'not_made',
      'Not sent. The reason is not recorded.',
    ]);
  });
});

describe('the filter of a webhook', () => {
  const judged = { webhook: active, lastDurationMs: null, now: hour(20) };
  const history = { changes: [], knownSince: hour(0) };
  const clause = 'data.message.author == "contact"';

  test('explains why an event has no delivery, whatever the webhook was like then', () => {
    const left = { ...event, filteredOut: { 1: clause } };
    expect(judge({ ...judged, event: left, delivery: null, history })).toEqual({
      outcome: 'filtered_out',
      sentence: `Filtered out by ${clause}.`,
      at: null,
      nextStep: 'send',
    });
    const ofOther = { ...event, filteredOut: { 2: clause } };
    expect(judge({ ...judged, event: ofOther, delivery: null, history }).outcome).toBe('not_made');
  });

  test('marks a delivery that was made although it could not be evaluated', () => {
    const delivery = {
      status: 'delivered' as const,
      attemptCount: 1,
      dueAt: null,
      finishedAt: hour(12),
      lastStatusCode: null,
      lastError: null,
      filterError: 'It can need more than 10,000 steps.',
    };
    expect(judge({ ...judged, event, delivery, history }).sentence).toBe(
      `Delivered at ${text(12)}. Sent although the filter could not be evaluated: It can need more than 10,000 steps.`,
    );
  });
});
