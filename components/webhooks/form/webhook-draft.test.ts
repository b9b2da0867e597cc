import { describe, expect, test } from 'vitest';

import type { UpdateWebhookInput, Webhook } from '#lib/contract/webhooks.ts';

import { toUpdateInput, draftFromWebhook, type WebhookDraft } from './webhook-draft.ts';

const webhook: Webhook = {
  id: 1,
  uuid: '00000000-0000-4000-8000-000000000001',
  name: 'Café orders',
  url: 'https://hooks.example.com/in',
  events: ['conversation.closed', 'message.created'],
  is_active: true,
  failure_count: 0,
  last_triggered_at: null,
  created_at: '2026-11-20T10:00:00.000+00:00',
  status: 'active',
  inactive_since: null,
  inactive_reason: null,
  failing_since: null,
  secret: {
    created_at: '2026-11-20T10:00:00.000+00:00',
    was_shown: true,
    previous_valid_until: null,
  },
  updated_at: '2026-11-20T10:00:00.000+00:00',
};

describe('what a draft changes', () => {
  test.each<[string, Partial<WebhookDraft>, UpdateWebhookInput]>([
    ['nothing, untouched', {}, {}],
    ['nothing, with a space more and another way to write é', { name: ' Cafe\u0301 orders ' }, {}],
    ['nothing, with the types in another order', { events: [...webhook.events].toReversed() }, {}],
    ['the name alone', { name: 'Orders' }, { name: 'Orders' }],
    ['the address alone', { url: 'https://b.example' }, { url: 'https://b.example' }],
    ['the types, one less', { events: ['message.created'] }, { events: ['message.created'] }],
    ['the types, none: for the service to refuse', { events: [] }, { events: [] }],
  ])('%s', (_, part, changes) => {
    expect(toUpdateInput({ ...draftFromWebhook(webhook), ...part }, webhook)).toEqual(changes);
  });
});
