'use client';

import { useState } from 'react';

import { ConfirmAct } from '#components/shell/confirm-act.tsx';
import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import type { FocusTarget } from '#components/ui/dialog.tsx';
import type { Fact } from '#components/ui/facts.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import { revokeApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { ActFailure } from './act-failure.tsx';
import { LastUse } from './last-use.tsx';
import { MaskedToken } from './masked-token.tsx';
import { RevocationReason } from './revocation-reason.tsx';
import { useConfirmedAct } from './use-confirmed-act.ts';

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
      facts={factsOf(apiKey, now)}
      typedName={isInUse ? apiKey.name : undefined}
      pending={isPending}
      refused={waitReason(secondsLeft)}
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

const LATELY_MS = 7 * 86_400_000;

function isUsedLately({ last_used_at: at }: ApiKey, now: Date): boolean {
  return at !== null && now.getTime() - Date.parse(at) < LATELY_MS;
}

function factsOf(apiKey: ApiKey, now: Date): Fact[] {
  const { previous_token: older } = apiKey;
  const hasOlder = older !== null && Date.parse(older.valid_until) > now.getTime();
  return [
    {
      label: 'Last used',
      value: <LastUse at={apiKey.last_used_at} from={apiKey.last_used_ip} />,
    },
    {
      label: hasOlder ? 'Tokens that end' : 'Token that ends',
      value: (
        <>
          <MaskedToken lastFour={apiKey.last_four} />
          {hasOlder && (
            <>
              {' '}
              and <MaskedToken lastFour={older.last_four} form="short" />
            </>
          )}
        </>
      ),
    },
    {
      label: 'Created',
      value: (
        <>
          <ExactTime form="day" value={apiKey.created_at} />
          {apiKey.created_by && ` by ${apiKey.created_by.name}`}
        </>
      ),
    },
  ];
}
