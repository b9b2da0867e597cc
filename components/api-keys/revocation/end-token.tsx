'use client';

import { ConfirmDialog } from '#components/shell/actions/confirm-dialog.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useConfirmedAction } from '#components/shell/actions/use-confirmed-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { endToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { FailureMessage } from '../failure-message.tsx';
import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import type { OlderToken } from '../older-tokens.ts';
import { wasUsedAfterReplacement, tokenLastUse } from '../token-last-use.ts';

type EndTokenProps = {
  apiKey: ApiKey;
  token: OlderToken;
  finalFocus: FocusTarget;
  onClose: () => void;
  onEnded: () => void;
};

/** Asks for confirmation before an older token is ended before its grace period is over. */
export function EndToken({ apiKey, token, finalFocus, onClose, onEnded }: EndTokenProps) {
  const { run, isPending, failure, deadline, secondsLeft } = useConfirmedAction(
    () => endToken(apiKey.uuid, token.id),
    onEnded,
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action={`End token …${token.last_four}`}
      sentence={
        <>
          Calls with it are answered 401 at once. <MaskedToken lastFour={apiKey.last_four} />, the
          newest token of {apiKey.name}, goes on.
        </>
      }
      facts={[
        { label: 'Last used', value: <LastUse {...tokenLastUse(apiKey, token)} /> },
        { label: 'Replaced', value: <ExactTime value={token.replaced_at} /> },
        { label: 'Would end', value: <ExactTime value={token.valid_until} /> },
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
      {wasUsedAfterReplacement(token) && (
        <Note>
          <strong>It was used after it was replaced.</strong> Whoever still calls with it stops.
        </Note>
      )}
      <RateLimitNotice deadline={deadline} />
    </ConfirmDialog>
  );
}
