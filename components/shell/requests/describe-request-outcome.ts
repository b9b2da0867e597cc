import type { StatusMark } from '#components/ui/data-display/status.tsx';
import {
  declineReasonTable,
  type RequestAct,
  type RotationRequestState,
  describeRequestAct,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

export type RequestOutcome = {
  mark: StatusMark;
  label: string;
  /** The reason, or by whom; null if there is nothing to add. */
  detail: string | null;
};

export const requestOutcomeLabels: Record<RotationRequestState, string> = {
  open: 'Waiting',
  done: 'Done',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  revoked: 'Key revoked',
};

/** The outcome of a request in words. @param personId the reader, who is called "you" */
export function describeRequestOutcome(request: RotationRequest, personId: string): RequestOutcome {
  const { member, closed_by: by } = request;
  const label = requestOutcomeLabels[request.state];
  const byWhom = by === null ? null : `By ${by}`;
  switch (request.state) {
    case 'open': {
      const name = member.id === personId ? 'you' : member.name;
      return { mark: 'waiting', label: `${label} for ${name}`, detail: null };
    }
    case 'done':
      return {
        mark: 'ok',
        label,
        detail: by === null ? null : `${doneWords[request.act]} by ${by}`,
      };
    case 'declined':
      return { mark: 'stopped', label, detail: whyDeclined(request) };
    case 'withdrawn':
      return { mark: 'ended', label, detail: whyWithdrawn(request) ?? byWhom };
    case 'revoked':
      return { mark: 'ended', label, detail: byWhom };
    case 'expired':
      return { mark: 'ended', label, detail: whyExpired(request) };
  }
}

const doneWords: Record<RequestAct, string> = {
  rotate: 'Rotated',
  regenerate_secret: 'Regenerated',
  resume: 'Resumed',
};

function whyWithdrawn({
  member,
  requested_by: requester,
  closed_because: because,
}: RotationRequest): string | null {
  switch (because) {
    case 'member_left':
      return `${member.name} left the account`;
    case 'requester_left':
      return `${requester.name} left the account`;
    case 'closed_to_support':
      return 'An owner closed the account to installation support';
    case 'key_expired':
    case 'member_may_not':
    case null:
      return null;
  }
}

function whyDeclined({ decline }: RotationRequest): string | null {
  if (decline === null) return null;
  if (decline.reason === 'other' && decline.message !== null) return `“${decline.message}”`;
  const reason = `${declineReasonTable[decline.reason]}.`;
  return decline.message === null ? reason : `${reason} “${decline.message}”`;
}

function whyExpired({ act, member, closed_because: because }: RotationRequest): string {
  const what = describeRequestAct(act, act === 'rotate' ? 'the key' : 'the webhook');
  switch (because) {
    case 'key_expired':
      return 'The key expired';
    case 'member_left':
      return `${member.name} left the account`;
    case 'member_may_not':
      return act === 'rotate'
        ? `${member.name} may no longer see the token`
        : `${member.name} may no longer ${what}`;
    case 'requester_left':
    case 'closed_to_support':
    case null:
      return `${member.name} did not ${what} within 72 hours`;
  }
}
