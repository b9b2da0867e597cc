import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

const createdAt = '2026-11-20T10:00:00.000+00:00';

/** An active webhook that never failed, with the parts that a test is about. */
export function makeWebhook(part: Partial<Webhook> = {}): Webhook {
  const { id = 1, status = 'active' } = part;
  return {
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    name: 'Webhook',
    url: 'https://hooks.example.com/in',
    events: ['message.created'],
    is_active: status === 'active',
    failure_count: 0,
    last_triggered_at: null,
    created_at: createdAt,
    status,
    inactive_since: null,
    inactive_reason: null,
    failing_since: null,
    all_events: false,
    filter: null,
    header_names: [],
    contact: null,
    max_deliveries_per_second: null,
    secret: {
      last_four: 'mD0=',
      created_at: createdAt,
      was_shown: true,
      unconfirmed: null,
      previous_valid_until: null,
      older: [],
    },
    created_by: null,
    updated_at: createdAt,
    ...part,
  };
}
