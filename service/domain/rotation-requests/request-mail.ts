import {
  describeRequestAct,
  describeRequestReason,
  type RequestAct,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { countOf } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { MailContent, MailFact } from '../../mail/mail.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import type { RotationRequestRecord } from './store/request-records.ts';

/** Asks the named member. The note stays in the dashboard: it may contain pasted secrets. */
export function requestMail(
  ctx: Pick<Context, 'config'>,
  {
    request,
    target,
    requestedBy,
  }: {
    request: Pick<RotationRequestRecord['request'], 'uuid' | 'act' | 'reason' | 'expiresAt'>;
    target: { accountId: string; name: string };
    requestedBy: { name: string };
  },
): MailContent {
  const { act } = request;
  const what = act === 'rotate' ? 'the API key' : 'the webhook';
  return {
    kind: 'rotation_request.created',
    subject: `You are asked to ${describeRequestAct(act, `${what} ${quoteShortName(target.name)}`)}`,
    paragraphs: [
      `${quoteName(requestedBy.name)} asks you to ${describeRequestAct(act, `${what} ${quoteName(target.name)}`)}. Nothing changes until you do.`,
    ],
    facts: [
      [act === 'rotate' ? 'API key' : 'Webhook', plainName(target.name)],
      ['Asked by', plainName(requestedBy.name)],
      ['Reason', describeRequestReason(request)],
      ['Open until', formatExact(request.expiresAt, 'UTC')],
    ],
    action: {
      label: 'Open the request',
      url: dashboardLink(ctx, target.accountId, `settings/rotation-requests/${request.uuid}`),
    },
  };
}

/** Tells owners, admins and the member who is asked that a token or a secret may have leaked. */
export function leakMail(
  ctx: Pick<Context, 'config'>,
  {
    request,
    target,
    member,
    reportedBy,
    count = null,
  }: {
    request: {
      uuid: string;
      act: RequestAct;
      note: string | null;
      createdAt: Date;
      expiresAt: Date;
    };
    target: { accountId: string; name: string };
    member: { name: string };
    /** From `describeActor`. */
    reportedBy: readonly MailFact[];
    /** How many reports the email is about, of which `request` is the latest. */
    count?: number | null;
  },
): MailContent {
  const { act, note } = request;
  const isKey = act === 'rotate';
  const what = isKey ? 'the token of the API key' : 'the signing secret of the webhook';
  return {
    kind: 'leak.reported',
    subject: `Leaked: ${what} ${quoteShortName(target.name)}`,
    paragraphs: [
      ...(count === null
        ? []
        : [
            `This email covers ${countOf(count, 'report')} in addition to those that were already emailed. The latest follows.`,
          ]),
      `Someone reported that ${what} ${quoteName(target.name)} may have leaked. ${quoteName(member.name)} is asked to ${describeRequestAct(act, quoteName(target.name))}.`,
      isKey
        ? 'Until the key is rotated or revoked, anyone who has the token can use it.'
        : 'Until an owner or an admin regenerates the secret and ends the old one, anyone who has it can sign deliveries that your server accepts.',
    ],
    facts: [
      [isKey ? 'API key' : 'Webhook', plainName(target.name)],
      ...reportedBy,
      ['Time', formatExact(request.createdAt, 'UTC')],
      ...(note === null ? [] : [['Note', plainName(note)] as const]),
      ['Open until', formatExact(request.expiresAt, 'UTC')],
    ],
    action: {
      label: 'Open the report',
      url: dashboardLink(ctx, target.accountId, `settings/rotation-requests/${request.uuid}`),
    },
  };
}
