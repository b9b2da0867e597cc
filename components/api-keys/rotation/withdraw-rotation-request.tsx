'use client';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { withdrawRotationRequest } from '#lib/actions/rotation-requests.ts';
import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type WithdrawRotationRequestProps = {
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
export function WithdrawRotationRequest({
  request,
  personId,
  finalFocus,
  onClose,
  onEnded,
}: WithdrawRotationRequestProps) {
  const { run, ...action } = useAction();
  const { requested_by: requester, member, api_key: key } = request;
  const isOwn = requester.id === personId;
  return (
    <ActionDialog
      kind="question"
      title={isOwn ? 'Withdraw request' : 'Decline request'}
      sentence={
        isOwn
          ? `${member.name} is no longer asked to rotate ${key.name}. The key stays as it is.`
          : `${key.name} stays as it is, and ${requester.name} may ask somebody else.`
      }
      facts={[
        {
          label: isOwn ? 'Requested from' : 'Requested by',
          value: isOwn ? member.name : requester.name,
        },
        { label: 'Reason', value: rotationReasonTable[request.reason] },
        { label: 'Expires', value: <ExactTime value={request.expires_at} /> },
      ]}
      action={action}
      adviceIfUnknown="Trying again is safe."
      onConfirm={() =>
        run(() => withdrawRotationRequest(request.uuid), { onDone: onEnded, onNotFound: onEnded })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}
