'use client';

import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { useSecretAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import {
  defaultGraceChoice,
  graceChoices,
  graceEnd,
} from '#components/shell/grace-period/grace-choices.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { type ActionFailure, isRepeatRefused } from '#lib/actions/action-result.ts';
import { rotateApiKey } from '#lib/actions/api-keys.ts';
import { rotateOnRequest } from '#lib/actions/rotation-requests.ts';
import type { ApiKey, RotationInput } from '#lib/contract/api-keys/api-keys.ts';
import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { olderTokens, type OlderToken } from '../older-tokens.ts';
import { RotationConsequence } from './rotation-consequence.tsx';
import { RotationTimeline } from './rotation-timeline.tsx';

type RotateDialogProps = {
  apiKey: ApiKey;
  /** The rotation request that this fulfils, if there is one. */
  request: RotationRequest | null;
  /** Whether the person may end the old token at once. If not, they can report a leak instead. */
  mayEndTokens: boolean;
  onReportLeak: () => void;
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
  mayEndTokens,
  onReportLeak,
  now,
  finalFocus,
  onStale,
  onRotated,
  onClose,
}: RotateDialogProps) {
  const [choice, setChoice] = useState(defaultGraceChoice);
  const { run, ...action } = useSecretAction<RotationInput>('token');
  const endsAt = graceEnd(
    choice,
    now,
    apiKey.expires_at === null ? null : new Date(apiKey.expires_at),
  );
  const older = olderTokens(apiKey, now);
  // Judged by what was read. The service decides by the state at the time of the rotation.
  const isReplaced = older.length > 0 && apiKey.tokens[0]?.last_used_at === null;

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

  return (
    <ActionDialog
      title={`Rotate ${apiKey.name}`}
      sentence="Creates a new token. Everything else about the key stays the same."
      action={action}
      failurePanel={
        action.failure && <RotationFailure name={apiKey.name} failure={action.failure} />
      }
      onConfirm={rotate}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      {request && <RequestedBy request={request} />}
      <Facts facts={factsOf(apiKey, older)} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Segmented
          legend="The old token ends"
          segments={mayEndTokens ? graceChoices : graceChoices.filter(({ value }) => value !== '0')}
          value={choice}
          onChange={setChoice}
          help={
            <RotationConsequence
              lastFour={apiKey.last_four}
              choice={choice}
              endsAt={endsAt}
              isReplaced={isReplaced}
            />
          }
        />
        <RotationTimeline
          lastFour={apiKey.last_four}
          choice={isReplaced ? '0' : choice}
          endsAt={isReplaced ? null : endsAt}
        />
      </div>
      {mayEndTokens ? (
        <Note>
          For a leaked token choose <strong>Now</strong>. Until it ends, it can do everything the
          key can, webhooks included, except manage keys.
        </Note>
      ) : (
        <Note>
          <strong>Has the token leaked?</strong> Do not rotate the key:{' '}
          <button type="button" className="link" onClick={onReportLeak}>
            report the leak
          </button>
          , and then revoke the key immediately.
        </Note>
      )}
      {older.length > 0 && choice !== '0' && (
        <Note>
          {older.length === 1 ? 'The older token keeps its' : 'The older tokens keep their'} own
          end; this choice applies to <MaskedToken lastFour={apiKey.last_four} form="short" />.
        </Note>
      )}
    </ActionDialog>
  );
}

function RotationFailure({ name, failure }: { name: string; failure: ActionFailure }) {
  if (isRepeatRefused(failure)) {
    return (
      <Banner tone="bad" role="alert" title={`${name} was rotated already`}>
        An earlier attempt rotated it, but that token can no longer be shown: it was used or
        replaced, or 10 minutes have passed. Rotate again to get a new token.
      </Banner>
    );
  }
  return (
    <ActionFailurePanel
      failure={failure}
      role="alert"
      notDone={`${name} was not rotated`}
      unknown={`It is unknown whether ${name} was rotated`}
      adviceIfUnknown="If it was, nobody has its new token, and the old one ends at the time you chose. Rotating again is safe: a token that was never used is replaced."
    />
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

function factsOf(apiKey: ApiKey, older: readonly OlderToken[]) {
  return [
    { label: 'Token in use', value: <MaskedToken lastFour={apiKey.last_four} /> },
    ...(older.length === 0
      ? []
      : [
          {
            label: older.length === 1 ? 'Older token' : 'Older tokens',
            value: older.map(({ id, last_four: lastFour, valid_until: end }) => (
              <span key={id} className="block">
                <MaskedToken lastFour={lastFour} form="short" /> until <ExactTime value={end} />
              </span>
            )),
          },
        ]),
    { label: 'Last used', value: <LastUse at={apiKey.last_used_at} from={apiKey.last_used_ip} /> },
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
