import { describe, expect, test } from 'vitest';
import type { UpdateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import { makeWebhook } from '../../testing/make-webhook.ts';
import { toUpdateInput, draftFromWebhook, type WebhookDraft } from './webhook-draft.ts';

const webhook = makeWebhook({
  name: 'Café orders',
  events: ['conversation.closed', 'message.created'],
});

describe('the changes that a draft makes', () => {
  test.each<[string, Partial<WebhookDraft>, UpdateWebhookInput]>([
    ['nothing, untouched', {}, {}],
    ['nothing, with a space more and another way to write é', { name: ' Cafe\u0301 orders ' }, {}],
    ['nothing, with the types in another order', { events: [...webhook.events].toReversed() }, {}],
    ['the name alone', { name: 'Orders' }, { name: 'Orders' }],
    ['the URL alone', { url: 'https://b.example' }, { url: 'https://b.example' }],
    [
      'the types, one less',
      { events: ['message.created'] },
      { events: ['message.created'], all_events: false },
    ],
    ['all types', { all_events: true }, { events: [...webhook.events], all_events: true }],
    [
      'the types, none: for the service to refuse',
      { events: [] },
      { events: [], all_events: false },
    ],
  ])('%s', (_, part, changes) => {
    expect(toUpdateInput({ ...draftFromWebhook(webhook), ...part }, webhook)).toEqual(changes);
  });
});
