import { useState } from 'react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useSecretAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { lastToExpire, olderTokens } from '#components/shell/states/older-tokens.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { replaceUnconfirmedToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { NewestTokenInput } from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import { MaskedToken } from '../../masked-token.tsx';
import { unconfirmedToken } from '../../unconfirmed-token.ts';
import { NewToken } from './new-token.tsx';

type ShowNewTokenProps = DialogClosing & {
  accountId: string;
  apiKey: ApiKey;
  now: Date;
  /** Called when the key must be read again. */
  onStale: () => void;
  /** Called when the dialog with the new token is closed. */
  onShown: (lastFour: string) => void;
};

/** Replaces an unconfirmed token, and shows the new one once. */
export function ShowNewToken(props: ShowNewTokenProps) {
  const { accountId, apiKey, now, onStale, onShown, ...dialog } = props;
  const [shown, setShown] = useState<{ token: string; message: string } | null>(null);
  const { run, ...action } = useSecretAction<NewestTokenInput>('token');
  const { name, last_four: lastFour } = apiKey;
  const unconfirmed = unconfirmedToken(apiKey)?.unconfirmed;
  const [replaced, setReplaced] = useState(lastFour);
  // If someone else rotated the key while the dialog was open, it is refused and says so.
  const expected = action.failure === null ? replaced : lastFour;
  const isUnknown = action.failure !== null && isOutcomeUnknown(action.failure);

  function replace() {
    setReplaced(expected);
    run(
      {
        values: apiKey.uuid,
        makeInput: () => ({ expected_last_four: expected }),
        send: ({ input: body, idempotencyKey }) =>
          replaceUnconfirmedToken({ params: { apiKey: apiKey.uuid }, body, idempotencyKey }),
      },
      {
        onDone: ({ data }) => setShown(data),
        onFailure: (failure, show) => {
          show(failure);
          // It may have been used, confirmed or replaced, so the key is read again.
          onStale();
        },
      },
    );
  }

  if (shown !== null) {
    return (
      <NewToken
        accountId={accountId}
        apiKey={apiKey}
        {...shown}
        finalFocus={dialog.finalFocus}
        onClosed={(newLastFour) => {
          setShown(null);
          onShown(newLastFour);
        }}
      />
    );
  }
  return (
    <ConfirmDialog
      title={`Show a new token of ${name}`}
      sentence={
        <>
          The new token replaces <MaskedToken lastFour={lastFour} form="short" />, which was never
          used and stops working immediately. <OlderEnds apiKey={apiKey} now={now} />
        </>
      }
      action={action}
      buttons={{ confirm: 'Show a new token' }}
      failure={
        action.failure && (
          <ActionFailurePanel
            failure={action.failure}
            role="alert"
            notDone="No new token was created"
            unknown={
              lastFour === replaced
                ? 'We could not confirm whether a new token was created'
                : 'A new token was created, but its response was lost'
            }
            adviceIfUnknown="Trying again is safe: a token that was never shown is replaced."
          />
        )
      }
      onConfirm={replace}
      {...dialog}
    >
      <Facts
        facts={
          // After a lost response, the key says that the new token was shown.
          unconfirmed && !isUnknown
            ? [
                {
                  label: `…${lastFour} ${unconfirmed.shown_to ? 'shown' : 'made'}`,
                  value: <ExactTime value={unconfirmed.since} />,
                },
                { label: 'Shown to', value: unconfirmed.shown_to?.name ?? 'Nobody' },
              ]
            : []
        }
      />
    </ConfirmDialog>
  );
}

function OlderEnds({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  const older = olderTokens(apiKey, now);
  const last = lastToExpire(older);
  if (last === undefined) return null;
  if (older.length > 1) return 'The older tokens keep their current end times.';
  return (
    <>
      <MaskedToken lastFour={last.last_four} form="short" /> ends at the same time as before, on{' '}
      <ExactTime value={last.valid_until} />.
    </>
  );
}
