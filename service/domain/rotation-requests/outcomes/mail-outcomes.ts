import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import type { AccountId } from '../../account-id.ts';
import { actOnEach } from '../../act-on-each.ts';
import { createNotices } from '../../notices/create-notices.ts';
import type { Notice } from '../../notices/create-notices.ts';
import { wantsMail } from '../../notices/rules.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { plainName } from '../../quote-name.ts';
import { mayBeMailed } from '../may-be-mailed.ts';
import { outcomeMail } from './outcome-mail.ts';
import { listRequestsWithUnsentOutcome, recordOutcomeMail } from '../store/request-mails.ts';
import { findRotationRequest, targetOf } from '../store/request-records.ts';
import { lockRotationRequest } from '../store/requests.ts';
import type { RotationRequestRecord } from '../store/request-records.ts';

const batch = 100;

/**
 * Emails the outcomes of requests, of all accounts, to the person who made the request, or
 * to the named member if that person ended it. Nobody gets an email about their own act, or more
 * than three a day about one key or webhook. The end of each request is stored together with the fact that an
 * email is due, so a crash loses none. If one fails, the next run sends it.
 */
export async function mailOutcomes(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  await actOnEach(await listRequestsWithUnsentOutcome(ctx.db, batch), {
    act: async ({ accountId, uuid }) =>
      await mailOutcome(ctx, { accountId: mintAccountId(accountId), uuid }),
    log: ctx.log,
    failure: 'the outcome of a rotation request could not be emailed yet',
    name: ({ uuid }) => ({ request: uuid }),
  });
}

async function mailOutcome(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config'>,
  { accountId, uuid }: { accountId: AccountId; uuid: string },
): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db.transaction(async (tx): Promise<DueMail | null> => {
    const locked = await lockRotationRequest(tx, accountId, uuid);
    const record = locked?.isOutcomeMailPending
      ? await findRotationRequest(tx, accountId, uuid)
      : null;
    if (!record) return null;
    const recipient = recipientOf(record);
    const isTold =
      recipient !== null &&
      (await mayBeMailed(tx, { target: targetOf(record), personId: recipient.id, now }));
    await recordOutcomeMail(tx, record.request, { to: isTold ? recipient.id : null, at: now });
    if (!isTold) return null;
    if (!recipient.isMember) return { record, notices: [] };
    const notices = await createNotices(tx, {
      accountId,
      to: { personId: recipient.id },
      subjectId: uuid,
      occasion: 'ended',
      now,
      mail: () => outcomeMail(ctx, { ...record, target: targetOf(record) }),
    });
    return { record: null, notices };
  });
  if (due?.record) mailInstallationSupport(ctx, due.record);
  sendNotices(ctx, due?.notices ?? []);
}

/** Notices for a member, or the record for somebody of installation support. */
type DueMail = { record: RotationRequestRecord | null; notices: Notice[] };

type Recipient = { id: string; isMember: boolean };

/**
 * The person who did not end the request; null if they left, or are a member who got no email about
 * it.
 */
function recipientOf(record: RotationRequestRecord): Recipient | null {
  const { request, requestedBy, requesterRole, isOfInstallationSupport } = record;
  const { member, memberRole } = record;
  const { closedBy, closedBecause, mailedAt } = request;
  const isRequesterGone =
    closedBecause === 'requester_left' || closedBecause === 'closed_to_support';
  if (closedBy?.id !== requestedBy.id && !isRequesterGone) {
    const isMember = requesterRole !== null;
    return isMember || isOfInstallationSupport ? { id: requestedBy.id, isMember } : null;
  }
  const isTold = mailedAt !== null && memberRole !== null && closedBy?.id !== member.id;
  return isTold ? { id: member.id, isMember: true } : null;
}

/** Only members get notices. For installation support, the email is sent once. */
function mailInstallationSupport(
  ctx: Pick<Context, 'mail' | 'config'>,
  record: RotationRequestRecord,
): void {
  const content = outcomeMail(ctx, { ...record, target: targetOf(record) });
  const { email, name, turnedOffMails } = record.requestedBy;
  if (wantsMail(turnedOffMails, content.kind)) {
    ctx.mail.send({ ...content, to: email, name: plainName(name) });
  }
}
