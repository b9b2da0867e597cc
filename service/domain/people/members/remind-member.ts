import { remindMember as contract } from '#lib/contract/people/members.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid, notFound } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { createNotices, sendNotices } from '../notices/notices.ts';
import { isFactorIn } from '../second-factors/required-factor.ts';
import { lockAccount, readAccount } from '../store/accounts.ts';
import { findMemberRow, type MemberRow } from '../store/members.ts';
import { confirmMember } from './confirm-member.ts';
import { secondFactorRequiredMail } from './membership-mails.ts';

/**
 * Emails a member that the account requires a second factor, which they do not have: once a day at
 * most.
 *
 * @throws ServiceError NOT_FOUND if they are not a member; VALIDATION_ERROR with `details.member` if
 *   they have one, or the account requires none; RATE_LIMIT_EXCEEDED
 */
export async function remindMember(
  ctx: Context,
  actor: PersonActor,
  { member: personId }: { member: string },
): Promise<void> {
  const { accountId } = actor;
  const { secondFactorRequiredFrom } = await readAccount(ctx.db, accountId);
  requireMissingFactor(await findMemberRow(ctx.db, accountId, personId), secondFactorRequiredFrom);
  await refuseOverLimit(ctx, [{ limit: 'factor-reminder', key: `${accountId} ${personId}` }]);
  const notices = await ctx.db.transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    await confirmMember(tx, actor, contract.access.act);
    const { member, from } = requireMissingFactor(
      await findMemberRow(tx, accountId, personId),
      account.secondFactorRequiredFrom,
    );
    const now = ctx.clock.now();
    await recordAudit(tx, {
      actor,
      action: 'member.reminded',
      at: now,
      target: { kind: 'person', id: personId, name: member.name },
      changes: { email: member.email, second_factor_required_from: from },
    });
    return await createNotices(tx, {
      accountId,
      to: { personId },
      subjectId: personId,
      occasion: now.toISOString(),
      now,
      mail: () =>
        secondFactorRequiredMail(ctx, { accountId, from, by: ['Reminded by', actor.personName] }),
    });
  });
  sendNotices(ctx, notices);
}

/** @throws ServiceError NOT_FOUND, VALIDATION_ERROR */
function requireMissingFactor(
  member: MemberRow | null,
  from: Date | null,
): { member: MemberRow; from: Date } {
  if (!member) throw notFound();
  if (from !== null && !isFactorIn(member)) return { member, from };
  throw invalid('member', 'They have a second factor, or the account does not require one.');
}
