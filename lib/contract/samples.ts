/** One consistent set of examples for the API description; tests validate each by its schema. */

export const sampleActor = { kind: 'person', id: 'yBRuYmtrRMtaGXTQ', name: 'Ida Holm' };

/** Split in two parts, so that scanners for leaked secrets do not report it. */
const sampleToken = ['sk_live', `${'Example'.repeat(5)}123`].join('_');
export const sampleSecret = ['whsec', 'QW4gZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMuLi4='].join('_');

export const sampleApiKeyToken = {
  id: 12,
  last_four: sampleToken.slice(-4),
  created_at: '2026-11-20T10:29:17.123+00:00',
  created_by: sampleActor,
  shown_to: sampleActor,
  valid_until: null,
  last_used_at: '2026-11-20T10:31:02.118+00:00',
  last_used_ip: '203.0.113.7',
  last_used_user_agent: 'returns-portal/2.4',
  unconfirmed: null,
};

export const sampleApiKey = {
  id: 7,
  uuid: '2f1c6a0e-8d0b-4d57-9a55-3b8d2d2c7e61',
  name: 'Returns portal',
  type: 'limited',
  scopes: ['conversations:read', 'webhooks:read', 'webhooks:manage'],
  last_four: sampleToken.slice(-4),
  status: 'rotating',
  created_at: '2026-08-03T08:12:40.501+00:00',
  created_by: sampleActor,
  rotated_at: '2026-11-20T10:29:17.123+00:00',
  expires_at: '2027-08-03T00:00:00.000+00:00',
  last_used_at: '2026-11-20T10:31:02.118+00:00',
  last_used_ip: '203.0.113.24',
  paused_at: null,
  paused_by: null,
  revoked_at: null,
  revoked_by: null,
  revoked_reason: null,
  allowed_cidrs: ['203.0.113.0/24'],
  description: 'Reads conversations for the portal in which customers send parcels back.',
  tags: ['portal', 'production'],
  responsible: { id: sampleActor.id, name: sampleActor.name, is_member: true },
  rate_limit_per_minute: 300,
  may_rotate_itself: false,
  previous_token: {
    last_four: 'x9Qa',
    replaced_at: '2026-11-20T10:29:17.123+00:00',
    valid_until: '2026-11-21T10:29:17.123+00:00',
    last_used_at: '2026-11-20T10:30:55.740+00:00',
  },
  tokens: [
    sampleApiKeyToken,
    {
      id: 9,
      last_four: 'x9Qa',
      created_at: '2026-08-03T08:12:40.501+00:00',
      created_by: sampleActor,
      shown_to: sampleActor,
      valid_until: '2026-11-21T10:29:17.123+00:00',
      last_used_at: '2026-11-20T10:30:55.740+00:00',
      last_used_ip: '203.0.113.8',
      last_used_user_agent: 'returns-portal/2.3',
      unconfirmed: null,
    },
  ],
};

export const sampleNewApiKey = {
  ...sampleApiKey,
  status: 'active',
  created_at: '2026-11-20T10:29:17.123+00:00',
  rotated_at: null,
  last_used_at: null,
  last_used_ip: null,
  description: null,
  tags: [],
  responsible: null,
  rate_limit_per_minute: null,
  previous_token: null,
  tokens: [
    { ...sampleApiKeyToken, last_used_at: null, last_used_ip: null, last_used_user_agent: null },
  ],
  token: sampleToken,
  message: 'Save this token now; it will not be shown again.',
};

export const sampleRotation = {
  token: sampleToken,
  message:
    'Save this token now; it will not be shown again. The old token stays valid for 24 hours, until 2026-11-21T10:29:17.123+00:00.',
};

export const sampleRotationPreview = {
  tokens: [
    {
      last_four: sampleApiKey.last_four,
      valid_until: '2026-11-21T10:40:00.000+00:00',
      ends_now: false,
    },
    {
      last_four: sampleApiKey.previous_token.last_four,
      valid_until: sampleApiKey.previous_token.valid_until,
      ends_now: false,
    },
  ],
};

/** A filter for what contacts write. */
export const sampleFilter = { '==': [{ var: 'data.message.author' }, 'contact'] };

export const sampleWebhookItem = {
  id: 4,
  uuid: 'ab6d7715-de89-405a-b4f7-9af782d8ccef',
  name: 'Order notifier',
  url: 'https://orders.example.com/webhooks',
  events: ['message.created', 'conversation.closed'],
  is_active: true,
  failure_count: 0,
  last_triggered_at: null,
  created_at: '2026-11-20T10:29:17.123+00:00',
};

export const sampleWebhook = {
  ...sampleWebhookItem,
  status: 'active',
  inactive_since: null,
  inactive_reason: null,
  failing_since: null,
  all_events: false,
  filter: sampleFilter,
  header_names: ['X-Shop'],
  contact: { email: 'oncall@example.com', is_confirmed: true },
  max_deliveries_per_second: null,
  secret: {
    last_four: sampleSecret.slice(-4),
    created_at: '2026-11-20T10:30:04.660+00:00',
    was_shown: true,
    unconfirmed: null,
    previous_valid_until: '2026-11-21T10:30:04.660+00:00',
    older: [
      {
        uuid: '0d9c2f0e-5b1a-4b55-9a3e-2f1c8e6a4d10',
        last_four: 'mD0=',
        created_at: '2026-11-20T10:29:17.123+00:00',
        valid_until: '2026-11-21T10:30:04.660+00:00',
      },
    ],
  },
  created_by: sampleActor,
  updated_at: '2026-11-20T10:30:21.902+00:00',
};

/** The webhook right after it was created. */
export const sampleNewWebhook = {
  ...sampleWebhook,
  secret: {
    last_four: 'mD0=',
    created_at: sampleWebhook.created_at,
    was_shown: false,
    unconfirmed: null,
    previous_valid_until: null,
    older: [],
  },
  updated_at: sampleWebhook.created_at,
};

export const samplePausedWebhook = {
  ...sampleWebhook,
  is_active: false,
  status: 'paused',
  inactive_since: '2026-11-20T10:33:40.078+00:00',
  inactive_reason: 'paused',
  updated_at: '2026-11-20T10:33:40.078+00:00',
};

export const sampleNewSecret = {
  secret: sampleSecret,
  message:
    'Save this secret now; it will not be shown again. The old secret also signs for 24 hours, until 2026-11-21T10:30:04.660+00:00.',
};

export const sampleConversation = {
  id: 51,
  uuid: 'cd83e552-ac11-4ab9-9f77-9aa26eb20e3a',
  subject: 'Where is order 1042?',
  contact: 'Ada Byron',
  status: 'open',
  metadata: { channel: 'email' },
  origin: { api_key_id: sampleApiKey.id },
  created_at: '2026-11-20T10:29:17.123+00:00',
  closed_at: null,
};

export const sampleClosedConversation = {
  ...sampleConversation,
  status: 'closed',
  closed_at: '2026-11-20T14:02:33.009+00:00',
};

export const sampleMessage = {
  id: 318,
  uuid: '6b0f3a52-0d4c-4a3e-8a53-0f4b1fb1c7d9',
  conversation_id: sampleConversation.id,
  author: 'contact',
  text: 'It was due on Monday.',
  metadata: { ticket: 'R-2093' },
  origin: sampleConversation.origin,
  sequence: 2,
  created_at: '2026-11-20T10:29:48.377+00:00',
};

export const sampleEvent = {
  id: 9120,
  uuid: '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
  type: 'message.created',
  data: {
    message: sampleMessage,
    conversation: {
      id: sampleConversation.id,
      uuid: sampleConversation.uuid,
      subject: sampleConversation.subject,
      status: sampleConversation.status,
      metadata: sampleConversation.metadata,
    },
    origin: sampleMessage.origin,
    sequence: sampleMessage.sequence,
  },
  created_at: sampleMessage.created_at,
  conversation_id: sampleConversation.id,
};

export const sampleDelivery = {
  id: 8841,
  uuid: '5f0c8c1c-91a3-4c1e-9f53-6b8f5c2f1f0a',
  webhook_id: sampleWebhookItem.id,
  event: { uuid: sampleEvent.uuid, type: sampleEvent.type, created_at: sampleEvent.created_at },
  status: 'pending',
  attempt_count: 1,
  next_attempt_at: '2026-11-20T10:29:53.802+00:00',
  attempts_left: 7,
  gives_up_at: '2026-11-21T14:04:53.802+00:00',
  last_attempt_at: '2026-11-20T10:29:48.391+00:00',
  last_duration_ms: 212,
  last_status_code: 503,
  last_error: 'The receiver responded with 503.',
  created_at: sampleEvent.created_at,
  finished_at: null,
  replay_uuid: null,
  filter_error: null,
};

/** The delivery of a test event that waits for its first attempt. */
export const sampleTestDelivery = {
  ...sampleDelivery,
  event: { ...sampleDelivery.event, type: 'webhook.test' },
  attempt_count: 0,
  next_attempt_at: sampleDelivery.created_at,
  attempts_left: 1,
  gives_up_at: sampleDelivery.created_at,
  last_attempt_at: null,
  last_duration_ms: null,
  last_status_code: null,
  last_error: null,
};

export const sampleOutcome = {
  webhook: {
    id: sampleWebhookItem.id,
    uuid: sampleWebhookItem.uuid,
    name: sampleWebhookItem.name,
  },
  outcome: 'retrying',
  sentence: `Retrying at ${sampleDelivery.next_attempt_at}, after 1 attempt. ${sampleDelivery.last_error}`,
  at: sampleDelivery.next_attempt_at,
  response_excerpt: 'Busy',
  next_step: 'retry',
  delivery: { id: sampleDelivery.id, uuid: sampleDelivery.uuid, attempt_count: 1 },
};

/** The body of every delivery of `sampleEvent`. */
export const sampleEventPayload = JSON.stringify({
  type: sampleEvent.type,
  timestamp: sampleEvent.created_at,
  data: sampleEvent.data,
});

export const sampleAttempt = {
  id: 20_417,
  number: 1,
  started_at: sampleDelivery.last_attempt_at,
  duration_ms: sampleDelivery.last_duration_ms,
  waited_ms: 14,
  first_byte_ms: 208,
  url: sampleWebhookItem.url,
  status_code: 503,
  redirects_to: null,
  error: null,
  request: {
    headers: {
      'User-Agent': 'ConversationService-Webhooks/1',
      'webhook-id': `msg_${sampleEvent.uuid}`,
      'Content-Type': 'application/json',
      'webhook-timestamp': '1795170588',
      // With `sampleSecret`.
      'webhook-signature': 'v1,QWeAlo6at0sbcm8ZgL2tFa0I6SdfMdqYk52btygKDpQ=',
    },
    body: sampleEventPayload,
    body_bytes: sampleEventPayload.length,
  },
  response: {
    headers: { 'content-type': 'text/plain', 'retry-after': '5' },
    body: 'Busy',
    body_bytes: 4,
    truncated: false,
  },
};

export const sampleSignatureCheck = {
  verdict: 'hex',
  also: [],
  headers: [],
  delivery: {
    uuid: sampleDelivery.uuid,
    attempt: sampleAttempt.number,
    signed_at: '2026-11-20T10:29:48.000+00:00',
  },
  secret: {
    webhook: { uuid: sampleWebhookItem.uuid, name: sampleWebhookItem.name },
    last_four: sampleWebhook.secret.last_four,
    created_at: sampleWebhookItem.created_at,
    valid_until: null,
  },
  signed: null,
  body: null,
  clock_offset_seconds: 0,
};

export const sampleReplay = {
  uuid: 'e0b1f1c2-3c55-4a8e-8d1b-2f3d0f6d9a11',
  webhook_id: sampleWebhookItem.id,
  since: '2026-11-19T08:00:00.000+00:00',
  until: '2026-11-20T08:00:00.000+00:00',
  status_filter: 'failed',
  include_pending: false,
  include_earlier: false,
  state: 'running',
  total: 1412,
  done: 1000,
  waiting: 240,
  created_at: '2026-11-20T10:31:07.440+00:00',
};

export const sampleAuditEntry = {
  id: 2040,
  at: '2026-11-20T10:29:17.123+00:00',
  actor: sampleActor,
  action: 'api_key.rotated',
  target: { kind: 'api_key', id: sampleApiKey.uuid, name: sampleApiKey.name },
  changes: {
    last_four: sampleApiKey.last_four,
    older_tokens: [
      {
        last_four: sampleApiKey.previous_token.last_four,
        valid_until: sampleApiKey.previous_token.valid_until,
      },
    ],
  },
  ip: '203.0.113.24',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  request_id: '0d4f7a7e-3f1b-4bb0-8f5a-5b8f3a6f2c11',
  is_chained: true,
};

/** `next_cursor` of a page that is not the last. */
export const sampleCursor = 'Y29udmVyc2F0aW9uczozMTg';

/** `follow_cursor` of a list that is followed. */
export const sampleFollowCursor = 'Zm9sbG93L2V2ZW50czoxMDQ4NzI6MTA0ODczOg';
