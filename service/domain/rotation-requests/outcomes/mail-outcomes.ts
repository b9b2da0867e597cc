import {
  declineReasonTable,
  describeDoneAct,
  describeRequestAct,
  describeRequestReason,
  type RequestAct,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { mintAccountId, type AccountId } from '../../account-id.ts';
import { processEach } from '../../process-each.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import {
  createNotices,
  sendNotices,
  wantsMail,
  type Notice,
} from '../../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { mayBeMailed } from '../may-be-mailed.ts';
import { listRequestsWithUnsentOutcome, recordOutcomeMail } from '../store/request-mails.ts';
import {
  findRotationRequest,
  targetOf,
  type RotationRequestRecord,
} from '../store/request-records.ts';
import { lockRotationRequest } from '../store/requests.ts';

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
  await processEach(await listRequestsWithUnsentOutcome(ctx.db, batch), {
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

/** Notices for a member, or the record for someone of installation support. */
type DueMail = { record: RotationRequestRecord | null; notices: Notice[] };

type Recipient = { id: string; isMember: boolean };

/** The person who did not end the request; null if they left, or were never asked by email. */
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

type Outcome = {
  request: Pick<
    RotationRequestRecord['request'],
    | 'uuid'
    | 'act'
    | 'state'
    | 'reason'
    | 'closedAt'
    | 'closedBy'
    | 'closedBecause'
    | 'declineReason'
  >;
  target: { accountId: string; name: string };
  requestedBy: { name: string };
  member: { name: string };
};

/**
 * The email about the outcome of a request. Texts that people wrote to each other stay in the
 * dashboard, because they may contain pasted secrets.
 */
export function outcomeMail(ctx: Pick<Context, 'config'>, outcome: Outcome): MailContent {
  const { request, target, requestedBy, member } = outcome;
  const { subject, sentence } = wordsFor(outcome);
  return {
    kind: 'rotation_request.ended',
    subject,
    paragraphs: [sentence],
    facts: [
      [request.act === 'rotate' ? 'API key' : 'Webhook', plainName(target.name)],
      ['Asked by', plainName(requestedBy.name)],
      ['Asked to do it', plainName(member.name)],
      ['Reason', describeRequestReason(request)],
      ...(request.declineReason
        ? ([['Why it was declined', declineReasonTable[request.declineReason]]] as const)
        : []),
      ...(request.closedAt ? ([['Time', formatExact(request.closedAt, 'UTC')]] as const) : []),
    ],
    action: {
      label: 'Open the request',
      url: dashboardLink(ctx, target.accountId, `settings/rotation-requests/${request.uuid}`),
    },
  };
}

function wordsFor({ request, target, requestedBy, member }: Outcome): {
  subject: string;
  sentence: string;
} {
  const { act } = request;
  const what = act === 'rotate' ? 'the API key' : 'the webhook';
  const short = `${what} ${quoteShortName(target.name)}`;
  const name = `${what} ${quoteName(target.name)}`;
  const by = request.closedBy ? quoteName(request.closedBy.name) : 'Someone';
  switch (request.state) {
    case 'done':
      return {
        subject: subjectsOfDone[act](quoteShortName(target.name)),
        sentence: `${by} ${describeDoneAct(act, name)}. Your request is done.${onlySeenBy[act]}`,
      };
    case 'declined':
      return {
        subject: `Your request to ${describeRequestAct(act, short)} was declined`,
        sentence: `${by} declined to ${describeRequestAct(act, name)}. Nothing changes, and you can ask someone else.`,
      };
    case 'withdrawn':
      return {
        subject: `The request to ${describeRequestAct(act, short)} was withdrawn`,
        sentence:
          request.closedBecause === 'member_left'
            ? `${quoteName(member.name)} is no longer a member of the account, so the request to ${describeRequestAct(act, name)} has ended. You can ask someone else.`
            : `${quoteName(requestedBy.name)} no longer asks you to ${describeRequestAct(act, name)}. You need not do anything.`,
      };
    case 'revoked':
      return {
        subject: `The API key ${quoteShortName(target.name)} was revoked`,
        sentence: `${by} revoked ${name}, so it can no longer be rotated. Its tokens no longer work.`,
      };
    case 'open':
    case 'expired':
      return {
        subject: `The request to ${describeRequestAct(act, short)} expired`,
        sentence: `${whyExpired(request, { name, member: quoteName(member.name) })} Nothing changes.`,
      };
  }
}

const subjectsOfDone: Record<RequestAct, (name: string) => string> = {
  rotate: (name) => `The API key ${name} was rotated`,
  regenerate_secret: (name) => `The secret of the webhook ${name} was regenerated`,
  resume: (name) => `The webhook ${name} was resumed`,
};

const onlySeenBy: Record<RequestAct, string> = {
  rotate: ' Only the person who rotated it was shown the new token.',
  regenerate_secret: ' Only the person who regenerated it was shown the new secret.',
  resume: '',
};

function whyExpired(
  { act, closedBecause }: Outcome['request'],
  { name, member }: { name: string; member: string },
): string {
  switch (closedBecause) {
    case 'key_expired':
      return `The key expired before it was rotated.`;
    case 'member_left':
      return `${member}, who was asked to ${describeRequestAct(act, name)}, is no longer a member of the account.`;
    case 'member_may_not':
      return act === 'rotate'
        ? `${member} may no longer be shown the token of ${name}.`
        : `${member} may no longer ${describeRequestAct(act, name)}.`;
    case 'requester_left':
    case 'closed_to_support':
    case null:
      return `${member} did not ${describeRequestAct(act, name)} within 72 hours.`;
  }
}
