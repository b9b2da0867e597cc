'use client';

import { useState } from 'react';

import { ConfirmAct } from '#components/shell/confirm-act.tsx';
import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import { useConfirmedAct } from '#components/shell/use-confirmed-act.ts';
import type { FocusTarget } from '#components/ui/dialog.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { revokeApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { ActFailure } from './act-failure.tsx';
import { isUsedLately, revocationFacts } from './revocation-facts.tsx';
import { RevocationReason } from './revocation-reason.tsx';

type RevokeApiKeyProps = {
  apiKey: ApiKey;
  now: Date;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRevoked: () => void;
};

/** Asks before a key ends for good. One that was used lately asks for its name. */
export function RevokeApiKey({ apiKey, now, finalFocus, onClose, onRevoked }: RevokeApiKeyProps) {
  const [reason, setReason] = useState('');
  // As it stood when asked: the field must not come or go under somebody's hands.
  const [isInUse] = useState(() => isUsedLately(apiKey, now));
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAct(
    () => revokeApiKey(apiKey.uuid, reason.trim() === '' ? {} : { reason }),
    onRevoked,
  );
  const reasonError = failure?.details?.['reason']?.join(' ');
  return (
    <ConfirmAct
      open
      onClose={onClose}
      act={`Revoke ${apiKey.name}`}
      sentence="Its calls are answered 401 at once. This cannot be undone."
      facts={revocationFacts(apiKey, now)}
      typedName={isInUse ? apiKey.name : undefined}
      pending={isPending}
      refused={waitReason(secondsLeft)}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={
        failure &&
        reasonError === undefined && (
          <ActFailure
            failure={failure}
            ifUnknown="It may have happened all the same. Revoking again is safe."
          />
        )
      }
      onConfirm={run}
      finalFocus={finalFocus}
    >
      <RevocationReason value={reason} onChange={setReason} error={reasonError} />
      <RateLimitNotice keepsInput deadline={deadline} />
    </ConfirmAct>
  );
}
