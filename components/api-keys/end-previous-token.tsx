'use client';

import { ConfirmAct } from '#components/shell/confirm-act.tsx';
import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import { useConfirmedAct } from '#components/shell/use-confirmed-act.ts';
import type { FocusTarget } from '#components/ui/dialog.tsx';
import { Note } from '#components/ui/note.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { endPreviousToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { ActFailure } from './act-failure.tsx';
import { LastUse } from './last-use.tsx';
import { MaskedToken } from './masked-token.tsx';
import { isOlderTokenInUse, olderTokenUse } from './token-use.ts';

type EndPreviousTokenProps = {
  apiKey: ApiKey;
  older: NonNullable<ApiKey['previous_token']>;
  finalFocus: FocusTarget;
  onClose: () => void;
  onEnded: () => void;
};

/** Asks before the older token ends ahead of its time. */
export function EndPreviousToken({
  apiKey,
  older,
  finalFocus,
  onClose,
  onEnded,
}: EndPreviousTokenProps) {
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAct(
    () => endPreviousToken(apiKey.uuid),
    onEnded,
  );
  return (
    <ConfirmAct
      open
      onClose={onClose}
      act={`End token …${older.last_four}`}
      sentence={
        <>
          Calls with it are answered 401 at once. <MaskedToken lastFour={apiKey.last_four} />, the
          newest token of {apiKey.name}, goes on.
        </>
      }
      facts={[
        { label: 'Last used', value: <LastUse {...olderTokenUse(apiKey)} /> },
        { label: 'Replaced', value: <ExactTime value={older.replaced_at} /> },
        { label: 'Would end', value: <ExactTime value={older.valid_until} /> },
      ]}
      pending={isPending}
      refused={waitReason(secondsLeft)}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={failure && <ActFailure failure={failure} ifUnknown="Trying again is safe." />}
      onConfirm={run}
      finalFocus={finalFocus}
    >
      {isOlderTokenInUse(apiKey) && (
        <Note>
          <strong>It was used after it was replaced.</strong> Whoever still calls with it stops.
        </Note>
      )}
      <RateLimitNotice deadline={deadline} />
    </ConfirmAct>
  );
}
