import { countOf } from '#lib/count.ts';
import { wordRequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent, MailFact } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';

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
            `This email is about ${countOf(count, 'report')}, in addition to those about which you got emails. The latest follows.`,
          ]),
      `Somebody reported that ${what} ${quoteName(target.name)} may have leaked. ${quoteName(member.name)} is asked to ${wordRequestAct(act, quoteName(target.name))}.`,
      isKey
        ? 'Until the key is rotated or revoked, whoever has the token can use it.'
        : 'Until an owner or an admin regenerates the secret and ends the old one, whoever has it can sign deliveries that your server accepts.',
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
