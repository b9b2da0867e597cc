import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useSecretAction } from '#components/shell/actions/use-action.ts';
import type { EndReason } from '#components/shell/requests/open-requests.ts';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { rotateApiKey } from '#lib/actions/api-keys.ts';
import { rotateOnRequest } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { RotationInput } from '#lib/contract/api-keys/rotation.ts';
import { offerGrace } from '#lib/contract/fields/grace-period.ts';
import { MaskedToken } from '../masked-token.tsx';
import { purposeFacts } from '../purpose-facts.tsx';
import { unconfirmedToken } from '../unconfirmed-token.ts';
import { RotationEffects } from './rotation-effects.tsx';
import { RotationFailure } from './rotation-failure.tsx';

type RotateDialogProps = DialogClosing & {
  apiKey: ApiKey;
  /** The person who is signed in. */
  personId: string;
  /** The rotation request that this fulfills, if there is one. */
  request: RotationRequest | null;
  /** Why its token should end immediately; null if it need not. */
  endReason: EndReason | null;
  /** The grace period that is selected at first, if the person may give it. */
  defaultGrace: number;
  /** Whether the person may end the old token immediately. If not, they can report a leak. */
  mayEndTokens: boolean;
  onReportLeak: () => void;
  /** Revokes the key instead; undefined if the person may not. */
  onRevoke: (() => void) | undefined;
  /** Replaces the newest token and shows the new one; undefined if it is confirmed. */
  onReplace: (() => void) | undefined;
  now: Date;
  onStale: () => void;
  onRotated: (newToken: { token: string; message: string }) => void;
};

/** The dialog that asks for the grace period and rotates the key. Cancel has the focus at first. */
export function RotateDialog({
  apiKey,
  personId,
  request,
  endReason,
  defaultGrace,
  mayEndTokens,
  onReportLeak,
  onRevoke,
  onReplace,
  now,
  onStale,
  onRotated,
  ...dialog
}: RotateDialogProps) {
  const endsNowAtFirst = endReason !== null && mayEndTokens;
  const { choices, selected } = offerGrace({ preferred: defaultGrace, mayEndTokens });
  const [choice, setChoice] = useState(endsNowAtFirst ? 0 : selected);
  const { run, ...action } = useSecretAction<RotationInput>('token');
  const [rotatedFrom, setRotatedFrom] = useState(apiKey.last_four);
  // If someone else rotated the key while the dialog was open, it is refused and says so.
  const expected = action.failure === null ? rotatedFrom : apiKey.last_four;
  const state = apiKeyState(apiKey, now);
  const hasEnded = isEndedState(state);
  const isUnknown = action.failure !== null && isOutcomeUnknown(action.failure);
  const lost = isUnknown ? findLostToken(apiKey, { rotatedFrom, personId }) : null;

  function rotate() {
    setRotatedFrom(expected);
    run(
      {
        values: String(choice),
        makeInput: () => ({
          grace_period_seconds: choice,
          expected_last_four: expected,
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
          // Someone else may have changed the key, so it is read again.
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
      failure={
        action.failure && (
          <RotationFailure name={apiKey.name} failure={action.failure} lost={lost} />
        )
      }
      {...dialog}
    >
      <Facts facts={purposeFacts(apiKey)} />
      {request && <RequestedBy request={request} />}
      {hasEnded ? (
        // Someone else ended it while the dialog was open.
        action.failure === null && (
          <Banner tone="bad" role="status" title={`${apiKey.name} cannot be rotated`}>
            This key is {state}. Create a new one.
          </Banner>
        )
      ) : (
        <>
          {/* It says that the person was shown the token, whose response may be lost. */}
          {!isUnknown && <UnconfirmedNote apiKey={apiKey} onReplace={onReplace} />}
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

/** The newest token of a key if a rotation by this person made it since, and they did not confirm it. */
function findLostToken(
  apiKey: ApiKey,
  { rotatedFrom, personId }: { rotatedFrom: string; personId: string },
) {
  const newest = unconfirmedToken(apiKey);
  const isTheirs = newest?.unconfirmed.shown_to?.id === personId;
  return isTheirs && apiKey.last_four !== rotatedFrom ? newest : null;
}

function RequestedBy({ request }: { request: RotationRequest }) {
  const { requested_by: requester, note } = request;
  return (
    <Note icon={<MessageSquareText />}>
      <strong>{requester.name} requested this rotation.</strong> {describeRequestReason(request)}.
      {note !== null && ` “${note}”`}
    </Note>
  );
}

type UnconfirmedNoteProps = { apiKey: ApiKey; onReplace: (() => void) | undefined };

function UnconfirmedNote({ apiKey, onReplace }: UnconfirmedNoteProps) {
  const token = unconfirmedToken(apiKey);
  if (token === null) return null;
  const { since, shown_to: shownTo } = token.unconfirmed;
  return (
    <Banner role="none" tone="warn" title={shownTo ? 'Token not confirmed' : 'Token not shown yet'}>
      <MaskedToken lastFour={token.last_four} form="short" />{' '}
      {shownTo ? `was shown to ${shownTo.name}` : 'was created'} on <ExactTime value={since} />{' '}
      {shownTo ? ', and has made no successful call.' : ', and has not been shown yet.'}
      {onReplace && (
        <>
          {' '}
          {shownTo ? 'If it is lost, you' : 'You'} do not have to rotate the key:{' '}
          <button type="button" className="link" onClick={onReplace}>
            show a new token
          </button>{' '}
          instead.
        </>
      )}
    </Banner>
  );
}

type LeakNoteProps = {
  endReason: EndReason | null;
  /** Whether the person may end the old token immediately. If not, they can report a leak. */
  mayEndTokens: boolean;
  onReportLeak: () => void;
  /** Revokes the key instead; undefined if the person may not. */
  onRevoke: (() => void) | undefined;
};

function LeakNote({ endReason, mayEndTokens, onReportLeak, onRevoke }: LeakNoteProps) {
  if (!mayEndTokens) {
    return (
      <Note>
        <strong>Has the token leaked?</strong>{' '}
        <button type="button" className="link" onClick={onReportLeak}>
          Report the leak
        </button>{' '}
        instead: then you can revoke the key immediately.
      </Note>
    );
  }
  if (endReason === null) {
    return (
      <Note>
        For a leaked token, choose <strong>Now</strong>. Until it ends, anyone who has it can use
        it.
      </Note>
    );
  }
  return (
    <Note>
      <strong>“Now” is selected because {endReasons[endReason]}.</strong> Until it ends, anyone who
      has it can use it.
      {onRevoke && (
        <>
          {' '}
          If the key is no longer needed,{' '}
          <button type="button" className="link" onClick={onRevoke}>
            revoke the key instead
          </button>
          .
        </>
      )}
    </Note>
  );
}

const endReasons: Record<EndReason, string> = {
  leaked: 'the token may have leaked',
  left: 'someone who knew the token has left',
};
