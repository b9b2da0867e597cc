'use client';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { DeclineRequest } from './decline-request.tsx';
import { WithdrawRequest } from './withdraw-request.tsx';

type CloseRequestProps = {
  request: RotationRequest;
  /** The person who is signed in. */
  personId: string;
  finalFocus: FocusTarget;
  /** Called when the request must be read again: it has ended meanwhile. */
  onStale: () => void;
  onClose: () => void;
  onEnded: () => void;
};

/** The dialog in which a person withdraws their own request, or declines one made to them. */
export function CloseRequest({ personId, ...props }: CloseRequestProps) {
  return props.request.requested_by.id === personId ? (
    <WithdrawRequest {...props} />
  ) : (
    <DeclineRequest {...props} />
  );
}
