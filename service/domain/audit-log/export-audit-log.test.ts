import { beforeEach, describe, expect, test } from 'vitest';
import { History } from '../../testing/records/history.ts';
import { useApi } from '../../testing/use-api.ts';
import type { Actor, PersonActor } from '../actor.ts';
import { authenticateToken } from '../api-keys/tokens/authenticate-token.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { updateApiKey } from '../api-keys/update-api-key.ts';
import { getAccount } from '../people/accounts/account.ts';
import { deleteAccount } from '../people/accounts/delete-account.ts';
import { removeMember } from '../people/members/remove-member.ts';
import { exportAuditLog } from './export-audit-log.ts';

const { ctx, account } = useApi({ accountFor: 'test' });

beforeEach(async () => {
  await new History(ctx, account.id).addAuditEntries({ daysOld: 1, count: 1500 });
});

/** A key that may read the audit log, as the actor of a call. */
async function readingKey(): Promise<{ uuid: string; actor: Actor }> {
  const { uuid, token } = await account.key({ scopes: ['audit-log:read', 'webhooks:read'] });
  const origin = { ip: '203.0.113.7', userAgent: 'test', requestId: 'test' };
  const verdict = await authenticateToken(ctx, { token, origin });
  if (verdict.kind !== 'actor') throw new Error('the new token is not valid');
  return { uuid, actor: verdict.actor };
}

describe('an export that is under way gives no further entry once', () => {
  test.each<[what: string, change: (owner: PersonActor, apiKey: string) => Promise<unknown>]>([
    ['is revoked', (owner, apiKey) => revokeApiKey(ctx, owner, { apiKey })],
    [
      'loses the scope',
      (owner, apiKey) => updateApiKey(ctx, owner, { apiKey, scopes: ['webhooks:read'] }),
    ],
  ])('its key %s', async (_what, change) => {
    const { uuid, actor } = await readingKey();
    await expectNothingAfter(actor, (owner) => change(owner, uuid));
  });

  test.each<[what: string, change: (owner: PersonActor, member: string) => Promise<unknown>]>([
    ['member is removed', (owner, member) => removeMember(ctx, owner, { member })],
    [
      'account is deleted',
      async (owner) => deleteAccount(ctx, owner, { name: (await getAccount(ctx, owner)).name }),
    ],
  ])('its %s', async (_what, change) => {
    const admin = await account.member('admin');
    await expectNothingAfter(admin, (owner) => change(owner, admin.personId));
  });
});

/** Begins an export, lets an owner change something, and expects that the rest is not read. */
async function expectNothingAfter(
  actor: Actor,
  change: (owner: PersonActor) => Promise<unknown>,
): Promise<void> {
  const { text } = await exportAuditLog(ctx, actor, { format: 'jsonl' });
  expect((await text.next()).done).toBe(false);
  await change(await account.member('owner'));
  await expect(text.next()).rejects.toThrow();
}
