import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { countLeakRevocationsLeft } from '../../../../domain/rotation-requests/leaks/reported-leaks.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { works } from '../../../../testing/api-keys/tokens.ts';
import { detailsOf } from '../../../../testing/api.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

const { ctx, api, requests, account, owner, admin, support, viewer, key } = useRotationRequests();

describe('ending a leaked key', () => {
  test('is possible for the person who reported the leak, although their role revokes no keys', async () => {
    const direct = await support.delete(`/api/v1/api-keys/${key.id}`);
    expect(direct.status).toBe(403);
    const { uuid } = await requests.make({ reason: 'leaked' });
    const response = await requests.revoke(support, uuid);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await works(api, key.token)).toBe(false);
    const shown = await owner.get(`/api/v1/api-keys/${key.id}`);
    expect(shown.body).toMatchObject({
      data: {
        status: 'revoked',
        revoked_by: { id: support.personId },
        revoked_reason: 'Reported as leaked',
      },
    });
    expect(await requests.rowOf({ uuid })).toMatchObject({ state: 'revoked' });
    expect((await requests.audited()).slice(-2)).toEqual([
      'api_key.revoked by Ida support: Production',
      'rotation_request.revoked by Ida support: Production',
    ]);
  });

  test('tells all owners and admins by email who revoked the key and why, and nobody else', async () => {
    const { id } = await addPerson(ctx, { email: 'second@example.com' });
    await addMember(ctx, { accountId: account.id, personId: id, role: 'owner' });
    const { uuid } = await requests.make({ reason: 'leaked', note: 'It is public.' });
    const before = ctx.mails.length;
    await requests.revoke(support, uuid);
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(
      [admin.email, owner.email, 'second@example.com'].toSorted(),
    );
    expect(mails[0]?.subject).toBe('Leaked: the API key "Production" was revoked');
    expect(mails[0]?.text.split('\n\n').slice(1, 5)).toEqual([
      'Somebody reported that the token of the API key "Production" may have leaked, and revoked the key.',
      'Its tokens no longer work: calls with them are rejected. Whoever used the key needs a new one.',
      expect.stringMatching(
        /^API key: Production\nRevoked by: Ida support \(.*@.*, Support\)\nTime: .* UTC\nNote: It is public\.\nAccount: Marlow & Finch$/,
      ),
      `Open the key:\n${ctx.config.publicUrl.origin}/a/${account.id}/settings/api-keys/${key.id}`,
    ]);
  });

  test('is the only way in which support can end a token, even of a key they could rotate', async () => {
    const small = await account.key({ scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${small.id}/rotate`;
    const refused = await support.post(path, { grace_period_seconds: 0 });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('request a rotation with the reason');
    expect(await works(api, small.token)).toBe(true);
    const { uuid } = await requests.make({ apiKey: small.id, reason: 'leaked' });
    expect((await requests.revoke(support, uuid)).status).toBe(204);
    expect(await works(api, small.token)).toBe(false);
  });

  test('is limited to three a day for a person, over all their accounts', async () => {
    const elsewhere = await api.account();
    const uuids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await account.key();
      uuids.push((await requests.make({ apiKey: id, reason: 'leaked' })).uuid);
    }
    for (const uuid of uuids) {
      ctx.clock.advance(hourMs);
      expect((await requests.revoke(support, uuid)).status).toBe(204);
    }

    await requests.removeMember(support);
    const { personId } = support;
    await addMember(ctx, { accountId: elsewhere.id, personId, role: 'support' });
    const { id } = await elsewhere.key();
    const member = (await elsewhere.member('admin')).personId;
    const { uuid } = await requests.make({ apiKey: id, member, reason: 'leaked' });
    const refused = await requests.revoke(support, uuid);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '79200']);
    expect(refused.text).toContain('Ask an owner, an admin or somebody else of support');
    ctx.clock.advance(22 * hourMs - 1);
    expect((await requests.revoke(support, uuid)).status).toBe(429);
    ctx.clock.advance(1);
    expect((await requests.revoke(support, uuid)).status).toBe(204);
  });

  test('beyond three a day is confirmed by somebody else of support, and counts for neither', async () => {
    const { id: personId, email } = await addPerson(ctx, { name: 'Tim' });
    await addMember(ctx, { accountId: account.id, personId, role: 'support' });
    const tim = { ...support, personId, personName: 'Tim', email };
    const uuids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { id } = await account.key();
      uuids.push((await requests.make({ apiKey: id, reason: 'leaked' })).uuid);
    }
    const [fourth = '', fifth = '', ...firstThree] = uuids;
    for (const uuid of firstThree) await requests.revoke(support, uuid);
    expect((await requests.revoke(support, fourth)).status).toBe(429);
    expect((await requests.revoke(tim, fourth)).status).toBe(204);
    expect((await requests.revoke(tim, fifth)).status).toBe(204);
    expect(ctx.mails.at(-1)?.text).toContain('Reported by: Ida support');
    expect((await requests.revoke(viewer, fifth)).status).toBe(403);
    expect(await countLeakRevocationsLeft(ctx.db, { personId, now: ctx.clock.now() })).toBe(3);
  });

  test('needs a request with that reason', async () => {
    const { uuid } = await requests.make({ reason: 'left' });
    expect(detailsOf(await requests.revoke(support, uuid))).toEqual({
      rotation_request: ['Only a key reported as leaked can be revoked this way.'],
    });
    expect(await works(api, key.token)).toBe(true);
  });

  test('needs an open request', async () => {
    const withdrawn = await requests.make({ reason: 'leaked' });
    await requests.withdraw(support, withdrawn.uuid);
    expect(detailsOf(await requests.revoke(support, withdrawn.uuid))).toHaveProperty(
      'rotation_request',
    );
    const expired = await requests.make({ reason: 'leaked' });
    ctx.clock.advance(72 * hourMs);
    expect(detailsOf(await requests.revoke(support, expired.uuid))).toHaveProperty(
      'rotation_request',
    );
    expect(await works(api, key.token)).toBe(true);
  });

  test('of a request for another reason is refused to everybody else, even the named member', async () => {
    const { uuid } = await requests.make({ reason: 'lost' });
    const none = await requests.revoke(admin, crypto.randomUUID());
    for (const person of [admin, owner]) {
      const response = await requests.revoke(person, uuid);
      expect([response.status, response.text]).toEqual([404, none.text]);
    }
  });

  test('is refused once one may no longer rotate keys', async () => {
    const { uuid } = await requests.make({ reason: 'leaked' });
    await requests.setRole(support, 'viewer');
    expect((await requests.revoke(support, uuid)).status).toBe(403);
    await requests.removeMember(support);
    expect((await requests.revoke(support, uuid)).status).toBe(401);
  });
});
