'use client';

import { ConfirmAct } from '#components/shell/confirm-act.tsx';
import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import { useConfirmedAct } from '#components/shell/use-confirmed-act.ts';
import type { FocusTarget } from '#components/ui/dialog.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { closeRotationRequest } from '#lib/actions/rotation-requests.ts';
import { rotationReasonTable } from '#lib/contract/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { ActFailure } from './act-failure.tsx';

type CloseRotationRequestProps = {
  request: RotationRequest;
  /** The reader: whoever asked withdraws, whoever was asked declines. */
  personId: string;
  finalFocus: FocusTarget;
  onClose: () => void;
  onEnded: () => void;
};

/** Asks before a request ends with nothing done. */
export function CloseRotationRequest({
  request,
  personId,
  finalFocus,
  onClose,
  onEnded,
}: CloseRotationRequestProps) {
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAct(
    () => closeRotationRequest(request.uuid),
    onEnded,
  );
  const { requested_by: asker, member, api_key: key } = request;
  const isOwn = asker.id === personId;
  return (
    <ConfirmAct
      open
      onClose={onClose}
      act={isOwn ? 'Withdraw request' : 'Decline request'}
      tone="primary"
      sentence={
        isOwn
          ? `${member.name} is no longer asked to rotate ${key.name}. The key stays as it is.`
          : `${key.name} stays as it is, and ${asker.name} may ask somebody else.`
      }
      facts={[
        { label: isOwn ? 'Asked' : 'Asked by', value: isOwn ? member.name : asker.name },
        { label: 'Reason', value: rotationReasonTable[request.reason] },
        { label: 'Would end', value: <ExactTime value={request.expires_at} /> },
      ]}
      pending={isPending}
      refused={waitReason(secondsLeft)}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={failure && <ActFailure failure={failure} ifUnknown="Trying again is safe." />}
      onConfirm={run}
      finalFocus={finalFocus}
    >
      <RateLimitNotice deadline={deadline} />
    </ConfirmAct>
  );
}
