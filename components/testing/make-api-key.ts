import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

/** An active full key that was never used, with the parts that a test is about. */
export function makeApiKey(part: Partial<ApiKey> = {}): ApiKey {
  const { id = 9 } = part;
  return {
    id,
    uuid: `01900000-0000-7000-8000-${String(id).padStart(12, '0')}`,
    name: 'Key',
    type: 'full',
    scopes: [],
    last_four: 'aaaa',
    status: 'active',
    created_at: '2026-11-01T12:00:00.000+00:00',
    created_by: null,
    expires_at: null,
    last_used_at: null,
    last_used_ip: null,
    paused_at: null,
    paused_by: null,
    revoked_at: null,
    rotated_at: null,
    revoked_by: null,
    revoked_reason: null,
    allowed_cidrs: [],
    description: null,
    tags: [],
    responsible: null,
    rate_limit_per_minute: null,
    may_rotate_itself: false,
    previous_token: null,
    tokens: [],
    ...part,
  };
}
