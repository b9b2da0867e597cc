import { refusalAdvice } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid } from '../../errors.ts';
import { resumeLanesOf } from '../../lanes/statements/resume-lanes-of.ts';
import { createNotices } from '../../notices/create-notices.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { lockAccount, writeAccount } from '../store/accounts.ts';
import { lockOwners } from '../store/members.ts';
import { isPastRestoreWindow } from './deletion.ts';
import { accountRestoredMail } from './account-mails.ts';

/**
 * Restores a deleted account: its keys work again, and the deliveries that waited for its webhooks
 * are sent. Calls that were refused in the meantime are not repeated. An account that is not
 * deleted stays as it is.
 *
 * @throws ServiceError FORBIDDEN to anybody but an owner; VALIDATION_ERROR with `details.account`
 *   if the time to restore it is over
 */
export async function restoreAccount(ctx: Context, actor: PersonActor): Promise<void> {
  const { accountId } = actor;
  const notices = await ctx.db.transaction(async (tx) => {
    const owners = await lockOwners(tx, accountId);
    if (!owners.includes(actor.personId)) throw forbidden(refusalAdvice['account.manage']);
    const { deletedAt, name } = await lockAccount(tx, accountId);
    if (!deletedAt) return [];
    const now = ctx.clock.now();
    if (isPastRestoreWindow(deletedAt, now)) {
      throw invalid('account', 'This account can no longer be restored.');
    }
    await writeAccount(tx, accountId, { deletedAt: null });
    await resumeLanesOf(tx, { accountId, pausedAt: deletedAt, now });
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
