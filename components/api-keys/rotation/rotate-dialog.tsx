'use client';

import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { useSecretAction } from '#components/shell/actions/use-action.ts';
import {
  defaultGraceChoice,
  type GraceChoice,
} from '#components/shell/grace-period/grace-choices.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import { rotateApiKey } from '#lib/actions/api-keys.ts';
import { rotateOnRequest } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationInput } from '#lib/contract/api-keys/rotation.ts';
import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { MaskedToken } from '../masked-token.tsx';
import { purposeFacts } from '../purpose-facts.tsx';
import { askForGrace, replacesUnused } from './grace-question.ts';
import { LeakNote } from './leak-note.tsx';
import { UnconfirmedNote } from './unconfirmed-note.tsx';
import { PreviewedTokens } from './previewed-tokens.tsx';
import { RotationConsequence } from './rotation-consequence.tsx';
import { PreviewFailure, RotationFailure } from './rotation-failure.tsx';
import { useRotationPreview } from './use-rotation-preview.ts';

type RotateDialogProps = {
  apiKey: ApiKey;
  /** The rotation request that this fulfills, if there is one. */
  request: RotationRequest | null;
  /** Whether its token may have leaked. */
  isLeaked: boolean;
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
  isLeaked,
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
  const endsNowAtFirst = isLeaked && mayEndTokens;
  const [choice, setChoice] = useState<GraceChoice>(endsNowAtFirst ? '0' : defaultGraceChoice);
  const { run, ...action } = useSecretAction<RotationInput>('token');
  const counted = useRotationPreview(apiKey, { choice, onStale });
  const preview = Array.isArray(counted) ? counted : null;
  const older = olderTokens(apiKey, now);
  const isReplacing = replacesUnused(apiKey, { older, choice, preview });
  const question = askForGrace({ lastFour: apiKey.last_four, older, isReplacing, mayEndTokens });
  const consequence = <RotationConsequence choice={choice} preview={preview} />;
  const state = apiKeyState(apiKey, now);
  const hasEnded = isEndedState(state);
  const isChoiceForNewest = choice !== '0' && preview !== null && !preview[0]?.ends_now;

  function rotate() {
    run(
      {
        values: choice,
        makeInput: () => ({
          grace_period_seconds: Number(choice),
          expected_last_four: apiKey.last_four,
        }),
        send: ({ input, idempotencyKey }) =>
          request === null
            ? rotateApiKey(apiKey.uuid, input, idempotencyKey)
            : rotateOnRequest(request.uuid, input, idempotencyKey),
      },
      {
        onDone: ({ token, message }) => onRotated({ token, message }),
        onFailure: (failure, show) => {
          show(failure);
          // Somebody else may have changed the key, so it is read again.
          onStale();
        },
      },
    );
  }

  const effects = (
    <>
      <UnconfirmedNote apiKey={apiKey} onReplace={onReplace} />
      <PreviewedTokens
        apiKey={apiKey}
        tokens={[...apiKey.tokens.slice(0, 1), ...older]}
        preview={preview}
        choice={choice}
        now={now}
      />
      {question === null ? (
        consequence
      ) : (
        <Segmented {...question} value={choice} onChange={setChoice} help={consequence} />
      )}
      {counted !== null && 'failure' in counted && action.failure === null && (
        <PreviewFailure name={apiKey.name} failedAction={counted} />
      )}
      {isChoiceForNewest && <KeptEnds older={older} />}
      <LeakNote {...{ isLeaked, mayEndTokens, onReportLeak, onRevoke }} />
    </>
  );
  // Somebody else ended it while the dialog was open.
  const endedNotice = action.failure === null && (
    <Banner tone="bad" role="status" title={`${apiKey.name} cannot be rotated`}>
      This key is {state}. Create a new one.
    </Banner>
  );

  return (
    <ActionDialog
      title={`Rotate ${apiKey.name}`}
      sentence={
        hasEnded ? undefined : 'Creates a new token. Everything else about the key stays the same.'
      }
      cancelLabel={hasEnded ? 'Close' : 'Cancel'}
      facts={purposeFacts(apiKey)}
      action={action}
      failurePanel={
        action.failure && <RotationFailure name={apiKey.name} failure={action.failure} />
      }
      disabledReason={hasEnded ? `This key is ${state}. Create a new one.` : undefined}
      onConfirm={rotate}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      {request && <RequestedBy request={request} />}
      {hasEnded ? endedNotice : effects}
    </ActionDialog>
  );
}

/** Says that the choice does not apply to the older tokens. */
function KeptEnds({ older: [only, ...more] }: { older: readonly OlderToken[] }) {
  if (only === undefined) return null;
  return (
    <Note>
      {more.length > 0 ? (
        'The older tokens keep their current end times.'
      ) : (
        <>
          <MaskedToken lastFour={only.last_four} form="short" /> keeps its current end time.
        </>
      )}
    </Note>
  );
}

function RequestedBy({ request }: { request: RotationRequest }) {
  const { requested_by: requester, reason, note } = request;
  return (
    <Note icon={<MessageSquareText />}>
      <strong>{requester.name} asks for this.</strong> {rotationReasonTable[reason]}.
      {note !== null && ` “${note}”`}
    </Note>
  );
}
