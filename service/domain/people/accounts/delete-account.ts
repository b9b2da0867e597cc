import { refusalAdvice } from '#lib/contract/rights/roles.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { runEffects } from '../../effects.ts';
import { forbidden, invalid } from '../../errors.ts';
import { createNotices, sendNotices } from '../notices/notices.ts';
import { readQuotas } from '../../quotas/quotas.ts';
import { quoteName, quoteShortName } from '../../quote-name.ts';
import { lockAccount, writeAccount } from '../store/accounts.ts';
import { lockMembers, lockOwners } from '../store/members.ts';
import { isPastRestoreWindow, restorableUntil } from './deletion.ts';

/**
 * Deletes the account. From the commit on, in every process, none of its keys works, nothing is
 * sent to its webhooks, and only its owners can open it. Its data stays as it is until `erasedAt`,
 * for `restoreAccount`. Deleting an account again changes nothing.
 *
 * Waits for transactions of the account's members and keys, so that nothing is written after the
 * deletion, except for messages and conversations whose writing has already begun.
 *
 * @throws ServiceError FORBIDDEN to anyone but an owner; VALIDATION_ERROR with `details.name` if
 *   the name is not the account's
 */
export async function deleteAccount(
  ctx: Context,
  actor: PersonActor,
  { name }: { name: string },
): Promise<{ erasedAt: Date }> {
  const { accountId } = actor;
  const { erasedAt, notices } = await ctx.db.transaction(async (tx) => {
    const owners = await lockOwners(tx, accountId);
    if (!owners.includes(actor.personId)) throw forbidden('role', refusalAdvice['account.manage']);
    await lockMembers(tx, accountId);
    const account = await lockAccount(tx, accountId);
    if (account.deletedAt) return { erasedAt: restorableUntil(account.deletedAt), notices: null };
    if (name.normalize('NFC').trim() !== account.name) {
      throw invalid('name', `Type the name of the account: ${account.name}`);
    }
    const now = ctx.clock.now();
    const until = restorableUntil(now);
    await writeAccount(tx, accountId, { deletedAt: now });
    await runEffects(tx, ctx.effects.accountDeleted, { accountId });
    const { api_keys: apiKeys, webhooks } = await readQuotas(ctx, tx, accountId);
    await recordAudit(tx, {
      actor,
      action: 'account.deleted',
      at: now,
      target: { kind: 'account', id: accountId, name: account.name },
      changes: { erased_at: until, live_api_keys: apiKeys.used, webhooks: webhooks.used },
    });
    const created = await createNotices(tx, {
      accountId,
      to: { role: 'owner' },
      subjectId: accountId,
      occasion: now.toISOString(),
      now,
      mail: () => accountDeletedMail(ctx, actor, { accountName: account.name, erasedAt: until }),
    });
    return { erasedAt: until, notices: created };
  });
  if (!notices) return { erasedAt };
  for (const effect of ctx.effects.afterAccountDeleted) effect(ctx, { accountId });
  sendNotices(ctx, notices);
  return { erasedAt };
}

/**
 * Restores a deleted account: its keys work again, and the deliveries that waited for its webhooks
 * are sent. Calls that were refused in the meantime are not repeated. An account that is not
 * deleted stays as it is.
 *
 * @throws ServiceError FORBIDDEN to anyone but an owner; VALIDATION_ERROR with `details.account`
 *   if the time to restore it is over
 */
export async function restoreAccount(ctx: Context, actor: PersonActor): Promise<void> {
  const { accountId } = actor;
  const notices = await ctx.db.transaction(async (tx) => {
    const owners = await lockOwners(tx, accountId);
    if (!owners.includes(actor.personId)) throw forbidden('role', refusalAdvice['account.manage']);
    const { deletedAt, name } = await lockAccount(tx, accountId);
    if (!deletedAt) return [];
    const now = ctx.clock.now();
    if (isPastRestoreWindow(deletedAt, now)) {
      throw invalid('account', 'This account can no longer be restored.');
    }
    await writeAccount(tx, accountId, { deletedAt: null });
    await runEffects(tx, ctx.effects.accountRestored, { accountId, deletedAt, now });
    await recordAudit(tx, {
      actor,
      action: 'account.restored',
      at: now,
      target: { kind: 'account', id: accountId, name },
      changes: { deleted_at: deletedAt },
    });
    return await createNotices(tx, {
      accountId,
      to: { role: 'owner' },
      subjectId: accountId,
      occasion: now.toISOString(),
      now,
      mail: () => accountRestoredMail(ctx, actor, name),
    });
  });
  sendNotices(ctx, notices);
}

type Doer = Pick<PersonActor, 'accountId' | 'personName' | 'email'>;
type LinkContext = { config: Pick<Context['config'], 'publicUrl'> };

/** The email that says who deleted an account, and until when it can be restored. */
export function accountDeletedMail(
  ctx: LinkContext,
  { accountId, personName, email }: Doer,
  { accountName, erasedAt }: { accountName: string; erasedAt: Date },
): MailContent {
  return {
    kind: 'account.deleted',
    subject: `The account ${quoteShortName(accountName)} was deleted`,
    paragraphs: [
      `${quoteName(personName)} (${email}) deleted the account ${quoteName(accountName)}. Its API keys have stopped working, and nothing is sent to its webhooks.`,
      `An owner can restore it until ${formatExact(erasedAt, 'UTC')}. After that, everything in it is erased and cannot be recovered.`,
    ],
    action: openAccount(ctx, accountId),
  };
}

/** The email that says who restored an account. */
export function accountRestoredMail(
  ctx: LinkContext,
  { accountId, personName, email }: Doer,
  accountName: string,
): MailContent {
  return {
    kind: 'account.restored',
    subject: `The account ${quoteShortName(accountName)} was restored`,
    paragraphs: [
      `${quoteName(personName)} (${email}) restored the account ${quoteName(accountName)}. Its API keys work again and pending deliveries are sent.`,
      'Calls that were refused in the meantime are not repeated.',
    ],
    action: openAccount(ctx, accountId),
  };
}

function openAccount(ctx: LinkContext, accountId: AccountId): MailContent['action'] {
  return { label: 'Open the account', url: dashboardLink(ctx, accountId, 'settings/account') };
}
