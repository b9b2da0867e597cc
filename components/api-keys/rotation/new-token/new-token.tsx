'use client';

import { timesInText, ServiceText } from '#components/shell/feedback/service-text.tsx';
import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { confirmToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

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
        confirmToken({ params: { apiKey: apiKey.uuid }, body: { last_four: lastFour } })
      }
      finalFocus={finalFocus}
      onClosed={() => onClosed(lastFour)}
    />
  );
}

const saveNow = /^Save this \w+ now; it will not be shown again\.\s*/;
const deadline = /until \d{4}-[\d-]+T[\d:.]+[+-][\d:]+/g;
const lastDeadline = /(until \d{4}-\S+)\.(?=\s|$)/;

/**
 * The service's message about when the older tokens end, without the advice that the dialog gives
 * already.
 */
function RotationMessage({ message }: { message: string }) {
  const text = message.replace(saveNow, '');
  const hasOneDeadline = text.match(deadline)?.length === 1;
  const advice = `Switch to the new one before ${hasOneDeadline ? 'then' : 'they end'}.`;
  return <ServiceText text={text.replace(lastDeadline, `$1. ${advice}`)} />;
}
