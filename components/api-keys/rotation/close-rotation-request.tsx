'use client';

import { ConfirmDialog } from '#components/shell/actions/confirm-dialog.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useConfirmedAction } from '#components/shell/actions/use-confirmed-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { closeRotationRequest } from '#lib/actions/rotation-requests.ts';
import { rotationReasonTable } from '#lib/contract/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { FailureMessage } from '../failure-message.tsx';

type CloseRotationRequestProps = {
  request: RotationRequest;
  /**
   * The person who is signed in. Who made the request withdraws it; who received it declines it.
   */
  personId: string;
  finalFocus: FocusTarget;
  onClose: () => void;
  onEnded: () => void;
};

/** Asks for confirmation before a rotation request is withdrawn or declined. */
export function CloseRotationRequest({
  request,
  personId,
  finalFocus,
  onClose,
  onEnded,
}: CloseRotationRequestProps) {
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAction(
    () => closeRotationRequest(request.uuid),
    onEnded,
  );
  const { requested_by: requester, member, api_key: key } = request;
  const isOwn = requester.id === personId;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action={isOwn ? 'Withdraw request' : 'Decline request'}
      tone="primary"
      sentence={
        isOwn
          ? `${member.name} is no longer asked to rotate ${key.name}. The key stays as it is.`
          : `${key.name} stays as it is, and ${requester.name} may ask somebody else.`
      }
      facts={[
        { label: isOwn ? 'Asked' : 'Asked by', value: isOwn ? member.name : requester.name },
        { label: 'Reason', value: rotationReasonTable[request.reason] },
        { label: 'Would end', value: <ExactTime value={request.expires_at} /> },
      ]}
      pending={isPending}
      disabledReason={rateLimitReason(secondsLeft)}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={
        failure && <FailureMessage failure={failure} adviceIfUnknown="Trying again is safe." />
      }
      onConfirm={run}
      finalFocus={finalFocus}
    >
      <RateLimitNotice deadline={deadline} />
    </ConfirmDialog>
  );
}
