import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../../db/schema/people/accounts.ts';
import { History } from '../../testing/records/history.ts';
import { useApi } from '../../testing/use-api.ts';
import type { Actor, PersonActor } from '../actor.ts';
import { authenticateToken } from '../api-keys/tokens/authenticate-token.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { updateApiKey } from '../api-keys/update-api-key.ts';
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

/** Begins an export, lets an owner change something, and expects that the rest is not read. */
async function expectNothingAfter(
  actor: Actor,
  change: (owner: PersonActor) => Promise<void>,
): Promise<void> {
  const { text } = await exportAuditLog(ctx, actor, { format: 'jsonl' });
  expect((await text.next()).done).toBe(false);
  await change(await account.member('owner'));
  const outcome = await text.next().then(
    () => 'read further',
    () => 'broke off',
  );
  expect(outcome).toBe('broke off');
}

async function accountName(): Promise<string> {
  const found = await ctx.db.query.accounts.findFirst({ where: eq(accounts.id, account.id) });
  return found?.name ?? '';
}

describe('an export that is under way gives no further entry once', () => {
  test('its key is revoked', async () => {
    const { uuid, actor } = await readingKey();
    await expectNothingAfter(actor, async (owner) => {
      await revokeApiKey(ctx, owner, { apiKey: uuid });
    });
  });

  test('its key loses the scope', async () => {
    const { uuid, actor } = await readingKey();
    await expectNothingAfter(actor, async (owner) => {
      await updateApiKey(ctx, owner, { apiKey: uuid, scopes: ['webhooks:read'] });
    });
  });

  test('its member is removed', async () => {
    const actor = await account.member('admin');
    await expectNothingAfter(actor, async (owner) => {
      await removeMember(ctx, owner, { member: actor.personId });
    });
  });

  test('its account is deleted', async () => {
    await expectNothingAfter(await account.member('admin'), async (owner) => {
      await deleteAccount(ctx, owner, { name: await accountName() });
    });
  });
});
