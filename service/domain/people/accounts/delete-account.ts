import { refusalAdvice } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { readApiKeyQuota } from '../../api-keys/input/api-key-quota.ts';
import { lockAndAnnounceKeys } from '../../api-keys/tokens/lock-and-announce-keys.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid } from '../../errors.ts';
import { pauseLanesOf } from '../../lanes/statements/pause-lanes-of.ts';
import { createNotices } from '../../notices/create-notices.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { readWebhookQuota } from '../../webhooks/webhook-quota.ts';
import { lockAccount, writeAccount } from '../store/accounts.ts';
import { lockMembers, lockOwners } from '../store/members.ts';
import { restorableUntil } from './deletion.ts';
import { accountDeletedMail } from './account-mails.ts';

/**
 * Deletes the account. From the commit on, in every process, none of its keys works, nothing is
 * sent to its webhooks, and only its owners can open it. Its data stays as it is until `erasedAt`,
 * for `restoreAccount`. Deleting an account again changes nothing.
 *
 * Waits for transactions of the account's members and keys, so that nothing is written after the
 * deletion, except for messages and conversations whose writing has already begun.
 *
 * @throws ServiceError FORBIDDEN to anybody but an owner; VALIDATION_ERROR with `details.name` if
 *   the name is not the account's
 */
export async function deleteAccount(
  ctx: Context,
  actor: PersonActor,
  { name }: { name: string },
): Promise<{ erasedAt: Date }> {
  const { accountId } = actor;
  const { erasedAt, deleted } = await ctx.db.transaction(async (tx) => {
    const owners = await lockOwners(tx, accountId);
    if (!owners.includes(actor.personId)) throw forbidden(refusalAdvice['account.manage']);
    await lockMembers(tx, accountId);
    // Before the keys, in the same order as installation support.
    const account = await lockAccount(tx, accountId);
    const keyIds = await lockAndAnnounceKeys(tx, accountId);
    if (account.deletedAt) return { erasedAt: restorableUntil(account.deletedAt), deleted: null };
    if (name.normalize('NFC').trim() !== account.name) {
      throw invalid('name', `Type the name of the account: ${account.name}`);
    }
    const now = ctx.clock.now();
    const until = restorableUntil(now);
    const apiKeys = await readApiKeyQuota(ctx, tx, accountId);
    const webhooks = await readWebhookQuota(ctx, tx, accountId);
    await writeAccount(tx, accountId, { deletedAt: now });
    await pauseLanesOf(tx, accountId);
    await recordAudit(tx, {
      actor,
      action: 'account.deleted',
      at: now,
      target: { kind: 'account', id: accountId, name: account.name },
      changes: { erased_at: until, live_api_keys: apiKeys.used, webhooks: webhooks.used },
    });
    const notices = await createNotices(tx, {
      accountId,
      to: { role: 'owner' },
      subjectId: accountId,
      occasion: now.toISOString(),
      now,
      mail: () => accountDeletedMail(ctx, actor, { accountName: account.name, erasedAt: until }),
    });
    return { erasedAt: until, deleted: { keyIds, notices } };
  });
  if (!deleted) return { erasedAt };
  for (const keyId of deleted.keyIds) ctx.keyCache.evict(keyId);
  sendNotices(ctx, deleted.notices);
  return { erasedAt };
}
