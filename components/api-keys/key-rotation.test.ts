import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';
import { sampleApiKey } from '#lib/contract/samples.ts';
import { keyRotation, openRequest } from './key-rotation.ts';

const now = new Date('2026-11-20T12:00:00Z');
const full: ApiKey = {
  ...sampleApiKey,
  scopes: ['conversations:read', 'api-keys:manage'],
} as ApiKey;
const bot: ApiKey = { ...sampleApiKey, scopes: ['conversations:read'] } as ApiKey;
const ofSamToAnn: RotationRequest = {
  uuid: '0198c2a4-0000-7000-8000-000000000001',
  api_key: { id: full.id, uuid: full.uuid, name: full.name, last_four: full.last_four },
  requested_by: { id: 'sam', name: 'Sam' },
  member: { id: 'ann', name: 'Ann' },
  reason: 'leaked',
  note: null,
  state: 'open',
  created_at: '2026-11-20T11:00:00.000+00:00',
  expires_at: '2026-11-23T11:00:00.000+00:00',
  mailed_at: '2026-11-20T11:00:00.000+00:00',
};
const requests = [ofSamToAnn];

describe('how a person gets a key rotated', () => {
  test('a viewer does not', () => {
    expect(keyRotation(full, { role: 'viewer', personId: 'vic', requests, now })).toEqual({
      kind: 'none',
    });
  });

  test('support rotates what it may see, and asks for the rest', () => {
    const view = { role: 'support', personId: 'sam', requests: [], now } as const;
    expect(keyRotation(bot, view)).toEqual({ kind: 'rotate', request: null });
    expect(keyRotation(full, view)).toEqual({ kind: 'request' });
  });

  test('whoever asked waits, and whoever was asked fulfils the request', () => {
    expect(keyRotation(full, { role: 'support', personId: 'sam', requests, now })).toEqual({
      kind: 'asked',
      request: ofSamToAnn,
    });
    expect(keyRotation(full, { role: 'admin', personId: 'ann', requests, now })).toEqual({
      kind: 'rotate',
      request: ofSamToAnn,
    });
  });

  test('a request that ended since it was read counts for nothing', () => {
    const later = new Date(ofSamToAnn.expires_at);
    expect(openRequest(full, { requests, now: later })).toBeNull();
    const view = { role: 'support', personId: 'sam', requests, now: later } as const;
    expect(keyRotation(full, view)).toEqual({ kind: 'request' });
  });
});
