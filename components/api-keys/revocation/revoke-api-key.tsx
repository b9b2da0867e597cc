'use client';

import { useState } from 'react';

import { ConfirmDialog } from '#components/shell/actions/confirm-dialog.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useConfirmedAction } from '#components/shell/actions/use-confirmed-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { revokeApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { FailureMessage } from '../failure-message.tsx';
import { wasUsedRecently, revocationFacts } from './revocation-facts.tsx';
import { RevocationReason } from './revocation-reason.tsx';

type RevokeApiKeyProps = {
  apiKey: ApiKey;
  now: Date;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRevoked: () => void;
};

/**
 * Asks for confirmation before a key is revoked. If the key was used recently, its name must be
 * typed.
 */
export function RevokeApiKey({ apiKey, now, finalFocus, onClose, onRevoked }: RevokeApiKeyProps) {
  const [reason, setReason] = useState('');
  // Decided when the dialog opens: the field must not appear or disappear while somebody types.
  const [isInUse] = useState(() => wasUsedRecently(apiKey, now));
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAction(
    () => revokeApiKey(apiKey.uuid, reason.trim() === '' ? {} : { reason }),
    onRevoked,
  );
  const reasonError = failure?.details?.['reason']?.join(' ');
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action={`Revoke ${apiKey.name}`}
      sentence="Its calls are answered 401 at once. This cannot be undone."
      facts={revocationFacts(apiKey, now)}
      typedName={isInUse ? apiKey.name : undefined}
      pending={isPending}
      disabledReason={rateLimitReason(secondsLeft)}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={
        failure &&
        reasonError === undefined && (
          <FailureMessage
            failure={failure}
            adviceIfUnknown="It may have happened all the same. Revoking again is safe."
          />
        )
      }
      onConfirm={run}
      finalFocus={finalFocus}
    >
      <RevocationReason value={reason} onChange={setReason} error={reasonError} />
      <RateLimitNotice keepsInput deadline={deadline} />
    </ConfirmDialog>
  );
}
