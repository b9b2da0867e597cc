import { roleTable } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import type { MailFact } from '../../../mail/mail.ts';
import { mintAccountId } from '../../account-id.ts';
import { processEach } from '../../process-each.ts';
import { createNotices, sendNotices, type Notice } from '../../people/notices/notices.ts';
import { plainName } from '../../quote-name.ts';
import { targetOf } from '../store/request-records.ts';
import type { RotationRequestRecord } from '../store/request-records.ts';
import {
  listHeldLeakReports,
  listTargetsOfHeldLeakReports,
  lockRequestMails,
  recordLeakMails,
} from '../store/request-mails.ts';
import type { RequestTarget } from '../store/requests.ts';
import { leakMail } from '../request-mail.ts';

/** Emails the leak reports beyond three a day: hourly, one email for each key or webhook. */
export async function mailHeldLeakReports(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  await processEach(await listTargetsOfHeldLeakReports(ctx.db), {
    act: async (target) => sendNotices(ctx, await createHeldNotices(ctx, target)),
    log: ctx.log,
    failure: 'reports of a leak could not be emailed yet',
    name: ({ accountId }) => ({ account: accountId }),
  });
}

async function createHeldNotices(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  target: Omit<RequestTarget, 'name'>,
): Promise<Notice[]> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    await lockRequestMails(tx, target);
    const reports = await listHeldLeakReports(tx, target);
    const [latest] = reports;
    // Another process emailed them.
    if (latest === undefined) return [];
    const { request, member } = latest;
    await recordLeakMails(tx, { target, at: now });
    const notice = {
      accountId: mintAccountId(target.accountId),
      subjectId: request.uuid,
      occasion: 'held',
      now,
      mail: () =>
        leakMail(ctx, {
          request,
          target: targetOf(latest),
          member,
          reportedBy: describeReporters(reports),
          count: reports.length,
        }),
    };
    const notices = await createNotices(tx, { ...notice, to: { act: 'team.manage' } });
    for (const personId of new Set(reports.map(({ request: { memberId } }) => memberId))) {
      notices.push(...(await createNotices(tx, { ...notice, to: { personId } })));
    }
    return notices;
  });
}

/** As `describeActor`, once for each person. */
function describeReporters(reports: readonly RotationRequestRecord[]): MailFact[] {
  const people = reports.map(({ requestedBy, requesterRole, isOfInstallationSupport }) => {
    const { name, email } = requestedBy;
    const other = isOfInstallationSupport ? 'installation support' : 'no longer a member';
    const as = requesterRole === null ? other : roleTable[requesterRole].label;
    return `${plainName(name)} (${email}, ${as})`;
  });
  return [...new Set(people)].map((person) => ['Reported by', person]);
}
