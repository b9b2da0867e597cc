import { describe, expect, test } from 'vitest';
import { dataOf, detailsOf } from '../../../../../testing/api.ts';
import { useInvitations, newAddress, spent } from '../../../../../testing/http/invitation-world.ts';

const { world, owner, admin } = useInvitations();

describe('who may invite', () => {
  test.each([
    ['removed', ['support', 'admin']],
    ['a viewer', ['support', 'admin']],
  ] as const)('invitations of someone who is %s are void immediately', async (what, roles) => {
    const emails = roles.map(newAddress);
    for (const [index, role] of roles.entries()) {
      await world.invite(admin, { email: emails[index] ?? '', role });
    }
    const path = `/api/dashboard/members/${admin.id}`;
    if (what === 'removed') await world.as(owner).delete(path);
    else await world.as(owner).patch(path, { role: 'viewer' });
    expect(await world.list(owner)).toEqual([]);
    for (const email of emails)
      expect(detailsOf(await world.accept(world.mailedToken(email)))).toEqual(spent);
    expect(await world.audited('invitation.revoked')).toHaveLength(2);
  });

  test('an owner can change what support can see with an invitation, and only if it is made', async () => {
    const supportTokens = async () => {
      const account = await world.as(owner).get('/api/dashboard/account');
      return dataOf<{ support: { tokens: string } }>(account).support.tokens;
    };
    const stronger = { role: 'support', support_tokens: 'all_but_management' } as const;
    expect((await world.invite(owner, { email: owner.email, ...stronger })).status).toBe(422);
    expect((await world.invite(admin, stronger)).status).toBe(403);
    expect(await supportTokens()).toBe('within_role');
    expect(await world.audited('account.support_access_changed')).toEqual([]);
    expect((await world.invite(owner, stronger)).status).toBe(201);
    expect(await supportTokens()).toBe('all_but_management');
    expect(await world.audited('account.support_access_changed')).toHaveLength(1);
  });

  test('an owner who becomes an admin keeps the invitations an admin could have made', async () => {
    const second = await world.addSignedIn('owner');
    await world.invite(second, { email: 'kept@example.com', role: 'admin' });
    await world.invite(second, { role: 'owner' });
    await world.as(owner).patch(`/api/dashboard/members/${second.id}`, { role: 'admin' });
    expect((await world.list(owner)).map(({ email }) => email)).toEqual(['kept@example.com']);
  });
});
