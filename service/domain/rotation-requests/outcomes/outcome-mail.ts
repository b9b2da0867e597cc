import {
  declineReasonTable,
  rotationReasonTable,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RequestObstacle } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import type { RotationRequestRecord } from '../store/request-records.ts';

type Outcome = {
  request: Pick<
    RotationRequestRecord['request'],
    'uuid' | 'state' | 'reason' | 'closedAt' | 'closedBy' | 'closedBecause' | 'declineReason'
  >;
  key: Pick<RotationRequestRecord['key'], 'accountId' | 'name'>;
  requestedBy: { name: string };
  member: { name: string };
};

/**
 * The email about the outcome of a request. Texts that people wrote to each other stay in the
 * dashboard, because they may contain pasted secrets.
 */
export function outcomeMail(ctx: Pick<Context, 'config'>, outcome: Outcome): MailContent {
  const { request, key, requestedBy, member } = outcome;
  const { subject, sentence } = wordsFor(outcome);
  return {
    kind: 'rotation_request.ended',
    subject,
    paragraphs: [sentence],
    facts: [
      ['API key', plainName(key.name)],
      ['Asked by', plainName(requestedBy.name)],
      ['Asked to rotate it', plainName(member.name)],
      ['Reason', rotationReasonTable[request.reason]],
      ...(request.declineReason
        ? ([['Why it was declined', declineReasonTable[request.declineReason]]] as const)
        : []),
      ...(request.closedAt ? ([['Time', formatExact(request.closedAt, 'UTC')]] as const) : []),
    ],
    action: {
      label: 'Open the request',
      url: dashboardLink(ctx, key.accountId, `settings/rotation-requests/${request.uuid}`),
    },
  };
}

function wordsFor({ request, key, requestedBy, member }: Outcome): {
  subject: string;
  sentence: string;
} {
  const short = quoteShortName(key.name);
  const name = quoteName(key.name);
  const by = request.closedBy ? quoteName(request.closedBy.name) : 'Somebody';
  switch (request.state) {
    case 'done':
      return {
        subject: `The API key ${short} was rotated`,
        sentence: `${by} rotated the API key ${name}. Your request is done. Only whoever rotated it was shown the new token.`,
      };
    case 'declined':
      return {
        subject: `Your request to rotate the API key ${short} was declined`,
        sentence: `${by} declined to rotate the API key ${name}. The key stays as it is, and you can ask somebody else.`,
      };
    case 'withdrawn':
      return {
        subject: `The request to rotate the API key ${short} was withdrawn`,
        sentence:
          request.closedBecause === 'member_left'
            ? `${quoteName(member.name)} is no longer a member of the account, so nobody is asked to rotate the API key ${name}. You can ask somebody else.`
            : `${quoteName(requestedBy.name)} no longer asks you to rotate the API key ${name}. You need not do anything.`,
      };
    case 'revoked':
      return {
        subject: `The API key ${short} was revoked`,
        sentence: `${by} revoked the API key ${name}, so it can no longer be rotated. Its tokens no longer work.`,
      };
    case 'open':
    case 'expired':
      return {
        subject: `The request to rotate the API key ${short} expired`,
        sentence: `${whyExpired(request.closedBecause, { name, member: quoteName(member.name) })} The key stays as it is.`,
      };
  }
}

function whyExpired(
  because: RequestObstacle | null,
  { name, member }: { name: string; member: string },
): string {
  switch (because) {
    case 'key_expired':
      return `The API key ${name} expired before it was rotated.`;
    case 'member_left':
      return `${member}, who was asked to rotate the API key ${name}, is no longer a member of the account.`;
    case 'member_may_not':
      return `${member} may no longer be shown the token of the API key ${name}.`;
    case 'requester_left':
    case null:
      return `${member} did not rotate the API key ${name} within 72 hours.`;
  }
}
