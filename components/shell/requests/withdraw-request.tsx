'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { withdrawRotationRequest } from '#lib/actions/rotation-requests.ts';
import { wordRequestAct, wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type WithdrawRequestProps = {
  request: RotationRequest;
  finalFocus: FocusTarget;
  /** Called when the request must be read again: it has ended meanwhile. */
  onStale: () => void;
  onClose: () => void;
  onEnded: () => void;
};

/** Asks for confirmation before the person withdraws their own request. */
export function WithdrawRequest({
  request,
  finalFocus,
  onStale,
  onClose,
  onEnded,
}: WithdrawRequestProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  const { member, act, target } = request;
  function finish() {
    toast(`Request to ${member.name} withdrawn`);
    onEnded();
  }

  return (
    <ConfirmDialog
      title="Withdraw request"
      sentence={`${member.name} is no longer asked to ${wordRequestAct(act, target.name)}. Nothing changes.`}
      action={action}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => withdrawRotationRequest({ params: { rotationRequest: request.uuid } }), {
          onDone: finish,
          onNotFound: onEnded,
          onFailure: (failure, show) => {
            show(failure);
            if (failure.details?.['rotation_request']) onStale();
          },
        })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Facts
        facts={[
          { label: 'Requested from', value: member.name },
          { label: 'Reason', value: wordRequestReason(request) },
          { label: 'Expires', value: <ExactTime value={request.expires_at} /> },
        ]}
      />
    </ConfirmDialog>
  );
}
