'use client';

import { useState } from 'react';

import { ConfirmDialog } from '#components/shell/actions/confirm-dialog.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useConfirmedAction } from '#components/shell/actions/use-confirmed-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { revokeLeakedKey } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { FailureMessage } from '../failure-message.tsx';
import { wasUsedRecently, revocationFacts } from './revocation-facts.tsx';

type RevokeLeakedKeyProps = {
  apiKey: ApiKey;
  request: RotationRequest;
  now: Date;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRevoked: () => void;
};

/**
 * Asks for confirmation before a key that was reported as leaked is revoked, without waiting for
 * its rotation.
 */
export function RevokeLeakedKey({ apiKey, request, now, ...outcomes }: RevokeLeakedKeyProps) {
  const { finalFocus, onClose, onRevoked } = outcomes;
  // Decided when the dialog opens: the field must not appear or disappear while somebody types.
  const [isInUse] = useState(() => wasUsedRecently(apiKey, now));
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAction(
    () => revokeLeakedKey(request.uuid),
    onRevoked,
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action={`Revoke ${apiKey.name}`}
      sentence={`Its calls are answered 401 at once, and ${request.member.name} has nothing left to rotate. All owners are notified by e-mail. This cannot be undone.`}
      facts={revocationFacts(apiKey, now)}
      typedName={isInUse ? apiKey.name : undefined}
      pending={isPending}
      disabledReason={rateLimitReason(secondsLeft)}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={
        failure && (
          <FailureMessage
            failure={failure}
            adviceIfUnknown="It may have happened all the same. Revoking again is safe."
          />
        )
      }
      onConfirm={run}
      finalFocus={finalFocus}
    >
      <RateLimitNotice keepsInput deadline={deadline}>
        A person can revoke 3 reported keys a day. An owner or an admin can revoke this one now.
      </RateLimitNotice>
    </ConfirmDialog>
  );
}
