'use client';

import { useConfirmation } from '#components/shell/actions/use-confirmation.ts';
import { timesInText } from '#components/shell/feedback/service-text.tsx';
import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { confirmToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { RotationMessage } from './rotation-message.tsx';

type NewTokenProps = {
  apiKey: ApiKey;
  token: string;
  /** What the service says about the older tokens. */
  message: string;
  finalFocus: FocusTarget;
  /** Called when the dialog is closed. Remove the token from your state. */
  onClosed: (lastFour: string) => void;
};

/** Shows the new token of a key that exists already, once. */
export function NewToken({ apiKey, token, message, finalFocus, onClosed }: NewTokenProps) {
  const confirm = useConfirmation('token');
  const lastFour = token.slice(-4);
  const oldTokenEnds = timesInText(message);
  const lastEnd = oldTokenEnds.toSorted().at(-1);
  return (
    <OneTimeSecret
      kind="token"
      subject={apiKey.name}
      value={token}
      envName="MESSAGING_API_KEY"
      sentence="It is shown only once. If you lose it, rotate the key again."
      note={<RotationMessage message={message} />}
      closeWarning={
        lastEnd === undefined ? undefined : (
          <>
            {oldTokenEnds.length === 1
              ? 'The old one still works until'
              : 'Older ones still work, the last until'}{' '}
            <ExactTime value={lastEnd} />.
          </>
        )
      }
      confirm={() =>
        confirm(apiKey.name, () =>
          confirmToken({ params: { apiKey: apiKey.uuid }, body: { last_four: lastFour } }),
        )
      }
      finalFocus={finalFocus}
      onClosed={() => onClosed(lastFour)}
    />
  );
}
