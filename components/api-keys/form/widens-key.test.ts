import { describe, expect, test } from 'vitest';
import type { UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { makeApiKey } from '../../testing/make-api-key.ts';
import { widensKey } from './widens-key.ts';

const bounded = makeApiKey({
  scopes: ['webhooks:read', 'webhooks:manage'],
  expires_at: '2026-12-01T00:00:00.000+00:00',
  allowed_cidrs: ['203.0.113.0/24', '2001:db8::/32'],
  rate_limit_per_minute: 60,
});

describe('a change widens a key', () => {
  test.each<[string, UpdateApiKeyInput]>([
    ['by a scope that it does not have', { scopes: ['webhooks:manage', 'events:read'] }],
    ['by all scopes of its type', { scopes: null }],
    ['by a later end', { expires_at: '2026-12-02T00:00:00Z' }],
    ['without an end', { expires_at: null }],
    ['by another network', { allowed_cidrs: ['203.0.113.0/24', '198.51.100.7'] }],
    ['by a larger network', { allowed_cidrs: ['203.0.0.0/16'] }],
    ['without networks', { allowed_cidrs: [] }],
    ['by a higher limit', { rate_limit_per_minute: 61 }],
    ['without a limit of its own', { rate_limit_per_minute: null }],
    ['even if another part is narrowed', { scopes: ['webhooks:read'], expires_at: null }],
  ])('%s', (_how, changes) => {
    expect(widensKey(changes, bounded)).toBe(true);
  });

  test('by the scopes of later versions', () => {
    expect(widensKey({ scopes: null }, makeApiKey({ scopes: allScopes }))).toBe(true);
  });
});

describe('a change does not widen a key', () => {
  test.each<[string, UpdateApiKeyInput]>([
    ['with another name', { name: 'Renamed', description: 'Checkout', tags: ['live'] }],
    ['with an implied scope', { scopes: ['webhooks:read'] }],
    ['with an earlier end', { expires_at: '2026-11-30T00:00:00Z' }],
    ['with parts of its networks', { allowed_cidrs: [' 203.0.113.7 ', '2001:db8:1::/48'] }],
    ['with a network that is not valid yet', { allowed_cidrs: ['203.0.113.0/24', '198.'] }],
    ['with a lower limit', { rate_limit_per_minute: 59 }],
  ])('%s', (_how, changes) => {
    expect(widensKey(changes, bounded)).toBe(false);
  });

  test('that has no bounds, with new ones', () => {
    const bounds = {
      expires_at: '2026-12-01T00:00:00Z',
      allowed_cidrs: ['203.0.113.0/24'],
      rate_limit_per_minute: 60,
    };
    expect(widensKey(bounds, makeApiKey({ scopes: allScopes }))).toBe(false);
  });
});
