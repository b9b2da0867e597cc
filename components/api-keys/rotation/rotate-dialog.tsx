'use client';

import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useSecretAction } from '#components/shell/actions/use-action.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import { rotateApiKey } from '#lib/actions/api-keys.ts';
import { rotateOnRequest } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationInput } from '#lib/contract/api-keys/rotation.ts';
import { wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import { offerGrace } from '#lib/contract/fields/grace-period.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { purposeFacts } from '../purpose-facts.tsx';
import type { EndReason } from '#components/shell/requests/open-requests.ts';
import { LeakNote } from './leak-note.tsx';
import { UnconfirmedNote } from './unconfirmed-note.tsx';
import { RotationEffects } from './rotation-effects.tsx';
import { RotationFailure } from './rotation-failure.tsx';

type RotateDialogProps = {
  apiKey: ApiKey;
  /** The rotation request that this fulfills, if there is one. */
  request: RotationRequest | null;
  /** Why its token should end at once; null if it need not. */
  endReason: EndReason | null;
  /** The grace period that is selected at first, if the person may give it. */
  defaultGrace: number;
  /** Whether the person may end the old token at once. If not, they can report a leak instead. */
  mayEndTokens: boolean;
  onReportLeak: () => void;
  /** Revokes the key instead; undefined if the person may not. */
  onRevoke: (() => void) | undefined;
  /**
   * Replaces the newest token and shows the new one; undefined if the newest token is confirmed.
   */
  onReplace: (() => void) | undefined;
  now: Date;
  finalFocus: FocusTarget;
  onStale: () => void;
  onRotated: (newToken: { token: string; message: string }) => void;
  onClose: () => void;
};

/** The dialog that asks for the grace period and rotates the key. Cancel has the focus at first. */
export function RotateDialog({
  apiKey,
  request,
  endReason,
  defaultGrace,
  mayEndTokens,
  onReportLeak,
  onRevoke,
  onReplace,
  now,
  finalFocus,
  onStale,
  onRotated,
  onClose,
}: RotateDialogProps) {
  const endsNowAtFirst = endReason !== null && mayEndTokens;
  const { choices, selected } = offerGrace({ preferred: defaultGrace, mayEndTokens });
  const [choice, setChoice] = useState(endsNowAtFirst ? 0 : selected);
  const { run, ...action } = useSecretAction<RotationInput>('token');
  const state = apiKeyState(apiKey, now);
  const hasEnded = isEndedState(state);

  function rotate() {
    run(
      {
        values: String(choice),
        makeInput: () => ({
          grace_period_seconds: choice,
          expected_last_four: apiKey.last_four,
        }),
        send: ({ input: body, idempotencyKey }) =>
          request === null
            ? rotateApiKey({ params: { apiKey: apiKey.uuid }, body, idempotencyKey })
            : rotateOnRequest({ params: { rotationRequest: request.uuid }, body, idempotencyKey }),
      },
      {
        onDone: ({ data }) => 'token' in data && onRotated(data),
        onFailure: (failure, show) => {
          show(failure);
          // Somebody else may have changed the key, so it is read again.
          onStale();
        },
      },
    );
  }

  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      sentence={
        hasEnded ? undefined : 'Creates a new token. Everything else about the key stays the same.'
      }
      form={{ ...action, onConfirm: rotate }}
      buttons={{
        disabledReason: hasEnded ? `This key is ${state}. Create a new one.` : undefined,
        cancel: hasEnded ? 'Close' : 'Cancel',
      }}
      failure={(failure) => <RotationFailure name={apiKey.name} failure={failure} />}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Facts facts={purposeFacts(apiKey)} />
      {request && <RequestedBy request={request} />}
      {hasEnded ? (
        // Somebody else ended it while the dialog was open.
        action.failure === null && (
          <Banner tone="bad" role="status" title={`${apiKey.name} cannot be rotated`}>
            This key is {state}. Create a new one.
          </Banner>
        )
      ) : (
        <>
          <UnconfirmedNote apiKey={apiKey} onReplace={onReplace} />
          <RotationEffects
            apiKey={apiKey}
            choices={choices}
            choice={choice}
            onChoose={setChoice}
            hasFailed={action.failure !== null}
            now={now}
            onStale={onStale}
          />
          <LeakNote
            endReason={endReason}
            mayEndTokens={mayEndTokens}
            onReportLeak={onReportLeak}
            onRevoke={onRevoke}
          />
        </>
      )}
    </FormDialog>
  );
}

function RequestedBy({ request }: { request: RotationRequest }) {
  const { requested_by: requester, note } = request;
  return (
    <Note icon={<MessageSquareText />}>
      <strong>{requester.name} asks for this.</strong> {wordRequestReason(request)}.
      {note !== null && ` “${note}”`}
    </Note>
  );
}
