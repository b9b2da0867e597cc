import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { sampleApiKey } from '#lib/contract/samples.ts';
import { findOpenRequests } from '#components/shell/requests/open-requests.ts';
import { findRotationOption } from './rotation-option.ts';

const now = new Date('2026-11-20T12:00:00Z');
const full: ApiKey = {
  ...sampleApiKey,
  scopes: ['conversations:read', 'api-keys:manage'],
} as ApiKey;
const small: ApiKey = { ...sampleApiKey, scopes: ['webhooks:read'] } as ApiKey;
const ofSamToAnn: RotationRequest = {
  uuid: '0198c2a4-0000-7000-8000-000000000001',
  act: 'rotate',
  target: { id: full.id, uuid: full.uuid, name: full.name, last_four: full.last_four },
  requested_by: { id: 'sam', name: 'Sam' },
  member: { id: 'ann', name: 'Ann' },
  reason: 'leaked',
  note: null,
  state: 'open',
  created_at: '2026-11-20T11:00:00.000+00:00',
  expires_at: '2026-11-23T11:00:00.000+00:00',
  closed_at: null,
  closed_by: null,
  closed_because: null,
  decline: null,
  mailed_at: '2026-11-20T11:00:00.000+00:00',
};
const requests = [ofSamToAnn];
const support = { tokens: 'within_role', payloads: false, error_texts: false } as const;
const asRole = (role: Role): MemberRights => ({ role, support });

describe('how a person gets a key rotated', () => {
  test('a viewer cannot', () => {
    expect(
      findRotationOption(full, { rights: asRole('viewer'), personId: 'vic', requests, now }),
    ).toEqual({
      kind: 'none',
    });
  });

  test('support rotates keys whose token it may see, and requests rotation of the others', () => {
    const view = { rights: asRole('support'), personId: 'sam', requests: [], now };
    expect(findRotationOption(small, view)).toEqual({ kind: 'rotate', request: null });
    expect(findRotationOption(full, view)).toEqual({ kind: 'request' });
  });

  test('the requester waits, and the requested member fulfills the request', () => {
    expect(
      findRotationOption(full, { rights: asRole('support'), personId: 'sam', requests, now }),
    ).toEqual({
      kind: 'requested',
      request: ofSamToAnn,
    });
    expect(
      findRotationOption(full, { rights: asRole('admin'), personId: 'ann', requests, now }),
    ).toEqual({
      kind: 'rotate',
      request: ofSamToAnn,
    });
  });

  test('after reporting a leak, support waits, and an admin can still rotate the key', () => {
    const view = { personId: 'sam', requests, now };
    expect(findRotationOption(small, { ...view, rights: asRole('support') })).toEqual({
      kind: 'requested',
      request: ofSamToAnn,
    });
    expect(findRotationOption(small, { ...view, rights: asRole('admin') })).toEqual({
      kind: 'rotate',
      request: null,
    });
  });

  test('of several open requests, a reported leak comes first, and each person answers their own', () => {
    const planned: RotationRequest = { ...ofSamToAnn, uuid: 'planned', reason: 'scheduled' };
    const ofTimToBob: RotationRequest = {
      ...ofSamToAnn,
      uuid: 'other',
      requested_by: { id: 'tim', name: 'Tim' },
      member: { id: 'bob', name: 'Bob' },
    };
    const all = { requests: [planned, ofTimToBob], now };
    const uuids = findOpenRequests(full, { ...all, personId: 'ann' }).map(({ uuid }) => uuid);
    expect(uuids).toEqual(['other', 'planned']);
    expect(findRotationOption(full, { ...all, rights: asRole('admin'), personId: 'ann' })).toEqual({
      kind: 'rotate',
      request: planned,
    });
    expect(findRotationOption(full, { ...all, rights: asRole('admin'), personId: 'eve' })).toEqual({
      kind: 'rotate',
      request: null,
    });
    expect(
      findRotationOption(full, { ...all, rights: asRole('support'), personId: 'tim' }),
    ).toEqual({ kind: 'requested', request: ofTimToBob });
  });

  test('a request that ended since it was read is ignored', () => {
    const later = new Date(ofSamToAnn.expires_at);
    const view = { rights: asRole('support'), personId: 'sam', requests, now: later };
    expect(findOpenRequests(full, view)).toEqual([]);
    expect(findRotationOption(full, view)).toEqual({ kind: 'request' });
  });
});
