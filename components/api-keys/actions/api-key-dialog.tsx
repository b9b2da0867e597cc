import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { CloseRequest } from '#components/shell/requests/close-request.tsx';
import { endReasonOf } from '#components/shell/requests/open-requests.ts';
import { type OlderToken, olderTokens } from '#components/shell/states/older-tokens.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { CopyDialog } from '#components/ui/overlays/copy-dialog.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { endToken, notifyOwnersOfExpiry, undoRotation } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { PauseApiKey } from '../revocation/pause-api-key.tsx';
import { RevokeApiKey } from '../revocation/revoke-api-key.tsx';
import { RevokeLeakedKey } from '../revocation/revoke-leaked-key.tsx';
import { ShowNewToken } from '../rotation/new-token/show-new-token.tsx';
import { ExtendToken } from '../rotation/extend-token.tsx';
import { RequestRotation } from '../rotation/request/request-rotation.tsx';
import { RotateApiKey } from '../rotation/rotate-api-key.tsx';
import { getOlderTokenUse, tokenLastUse } from '../token-last-use.ts';
import type { ApiKeyDialogOutcome, ShownApiKeyDialog } from './shown-api-key-dialog.ts';

export type ApiKeyDialogProps = {
  shownDialog: ShownApiKeyDialog;
  /** The latest version of the key that was read; undefined if it could not be read. */
  latestApiKey: ApiKey | undefined;
  now: Date;
  session: Session;
  finalFocus: FocusTarget;
  /** Called when the key on the page is out of date and must be read again. */
  onStale: () => void;
  onClosed: (outcome: ApiKeyDialogOutcome) => void;
};

/** Renders the dialog that is open for a key. */
export function ApiKeyDialog({
  shownDialog,
  latestApiKey,
  now,
  session,
  finalFocus,
  onStale,
  onClosed,
}: ApiKeyDialogProps) {
  const { kind, apiKey, request, token } = shownDialog;
  const shared = { finalFocus, onClose: () => onClosed({ kind: 'cancelled' }) };
  const closeAfterChange = () => onClosed({ kind: 'changed' });
  switch (kind) {
    case 'rotate':
    case 'rotate-leaked':
      return (
        <RotateApiKey
          // After someone else rotated the key, the dialog must show the current token.
          apiKey={latestApiKey ?? apiKey}
          request={request?.member.id === session.person.id ? request : null}
          endReason={kind === 'rotate-leaked' ? 'leaked' : endReasonOf(request ? [request] : [])}
          session={session}
          now={now}
          {...shared}
          onStale={onStale}
          onChanged={closeAfterChange}
          onRotated={(lastFour) => onClosed({ kind: 'rotated', uuid: apiKey.uuid, lastFour })}
        />
      );
    case 'report-leak':
    case 'request-rotation':
      return (
        <RequestRotation
          apiKey={apiKey}
          accountId={session.account.id}
          isLeakReport={kind === 'report-leak'}
          replaced={kind === 'report-leak' ? request : null}
          now={now}
          {...shared}
          onStale={onStale}
          onChanged={closeAfterChange}
        />
      );
    case 'close-request':
      return (
        request && (
          <CloseRequest
            request={request}
            personId={session.person.id}
            {...shared}
            onStale={onStale}
            onEnded={closeAfterChange}
          />
        )
      );
    case 'revoke-leaked':
      return (
        request && (
          <RevokeLeakedKey
            apiKey={latestApiKey ?? apiKey}
            request={request}
            now={now}
            {...shared}
            onStale={onStale}
            onRevoked={closeAfterChange}
          />
        )
      );
    case 'revoke':
      return <RevokeApiKey apiKey={apiKey} now={now} {...shared} onRevoked={closeAfterChange} />;
    case 'pause':
    case 'resume':
      return (
        <PauseApiKey
          apiKey={apiKey}
          isResumed={kind === 'resume'}
          {...shared}
          onChanged={closeAfterChange}
        />
      );
    case 'end-token':
      return (
        token && (
          <EndToken
            // Calls may have been made with the token since the dialog was opened.
            {...latestOlderToken({ apiKey: latestApiKey ?? apiKey, token, now })}
            now={now}
            {...shared}
            onEnded={closeAfterChange}
          />
        )
      );
    case 'extend-token':
      return (
        token && (
          <ExtendToken
            accountId={session.account.id}
            apiKey={latestApiKey ?? apiKey}
            token={token}
            {...shared}
            onExtended={closeAfterChange}
          />
        )
      );
    case 'show-new-token':
      return (
        <ShowNewToken
          accountId={session.account.id}
          apiKey={latestApiKey ?? apiKey}
          now={now}
          {...shared}
          onStale={onStale}
          onShown={(lastFour) => onClosed({ kind: 'rotated', uuid: apiKey.uuid, lastFour })}
        />
      );
    case 'undo-rotation':
      return (
        token && (
          <UndoRotation
            apiKey={apiKey}
            restored={token}
            {...shared}
            onStale={onStale}
            onUndone={closeAfterChange}
          />
        )
      );
    case 'notify-owners':
      return <NotifyOwners apiKey={apiKey} {...shared} onNotified={closeAfterChange} />;
    case 'show-id':
      return <CopyDialog title={`Key ID of ${apiKey.name}`} text={apiKey.uuid} {...shared} />;
  }
}

/** An older token as read last. If it has ended since, as it was. */
function latestOlderToken({
  apiKey,
  token,
  now,
}: {
  apiKey: ApiKey;
  token: OlderToken;
  now: Date;
}): { apiKey: ApiKey; token: OlderToken } {
  const latest = olderTokens(apiKey, now).find(({ id }) => id === token.id);
  return { apiKey, token: latest ?? token };
}

type UndoRotationProps = DialogClosing & {
  apiKey: ApiKey;
  restored: OlderToken;
  /** Called when the key must be read again. */
  onStale: () => void;
  onUndone: () => void;
};

/** The confirmation dialog before a rotation whose token is unconfirmed is undone. */
function UndoRotation(props: UndoRotationProps) {
  const { apiKey, restored, onStale, onUndone, ...dialog } = props;
  const { run, ...action } = useAction();
  const toast = useToast();
  const old = <MaskedToken lastFour={restored.last_four} form="short" />;
  function finish() {
    toast(`Rotation of ${apiKey.name} undone`);
    onUndone();
  }

  return (
    <ConfirmDialog
      title={`Undo rotation of ${apiKey.name}`}
      sentence={
        <>
          <MaskedToken lastFour={apiKey.last_four} form="short" /> stops working immediately. {old}{' '}
          becomes the newest token again: it no longer ends on{' '}
          <ExactTime value={restored.valid_until} />, but works as long as the key does. If a member
          requested this rotation, the request stays closed.
        </>
      }
      action={action}
      buttons={{ confirm: 'Undo rotation' }}
      failure={{ adviceIfUnknown: 'The rotation may have been undone. Trying again is safe.' }}
      onConfirm={() =>
        run(
          () =>
            undoRotation({
              params: { apiKey: apiKey.uuid },
              body: { expected_last_four: apiKey.last_four },
            }),
          {
            onDone: finish,
            onNotFound: onUndone,
            onFailure: (failure, show) => {
              show(failure);
              onStale();
            },
          },
        )
      }
      {...dialog}
    >
      <Facts
        facts={[
          {
            label: `…${restored.last_four} last used`,
            value: <LastUse {...tokenLastUse(restored)} />,
          },
        ]}
      />
    </ConfirmDialog>
  );
}

type NotifyOwnersProps = DialogClosing & { apiKey: ApiKey; onNotified: () => void };

/** The confirmation dialog before the owners get an email about the expiry of a key. */
function NotifyOwners({ apiKey, onNotified, ...dialog }: NotifyOwnersProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  function finish() {
    toast(`Owners notified about ${apiKey.name}`);
    onNotified();
  }

  return (
    <ConfirmDialog
      title={`Notify owners about ${apiKey.name}`}
      sentence={
        <>
          The owners get an email with the expiry of this key and your name, and can change the
          expiry. The key does not change.
        </>
      }
      action={action}
      buttons={{ confirm: 'Notify owners', tone: 'primary' }}
      failure={{
        notDone: 'The owners were not notified',
        unknown: 'We could not confirm whether the owners were notified',
        adviceIfUnknown: 'Trying again is safe: they get one email a day about a key at most.',
        rateLimit: 'The owners can be notified once a day about each key.',
      }}
      onConfirm={() =>
        run(() => notifyOwnersOfExpiry({ params: { apiKey: apiKey.uuid } }), {
          onDone: finish,
          onNotFound: onNotified,
        })
      }
      {...dialog}
    />
  );
}

type EndTokenProps = DialogClosing & {
  /** As read last. */
  apiKey: ApiKey;
  token: OlderToken;
  now: Date;
  onEnded: () => void;
};

/** The confirmation dialog before an older token is ended before its grace period is over. */
function EndToken({ apiKey, token, now, onEnded, ...dialog }: EndTokenProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  const use = getOlderTokenUse([token], { newest: apiKey.tokens[0], now });

  function finish() {
    toast(`Token …${token.last_four} ended`);
    onEnded();
  }

  return (
    <ConfirmDialog
      title={`End token …${token.last_four}`}
      sentence={
        <>
          Calls with this token are rejected with 401 immediately.{' '}
          <MaskedToken lastFour={apiKey.last_four} />, the newest token of {apiKey.name}, keeps
          working.
        </>
      }
      action={action}
      buttons={{ tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => endToken({ params: { apiKey: apiKey.uuid, token: String(token.id) } }), {
          onDone: finish,
          onNotFound: onEnded,
        })
      }
      {...dialog}
    >
      <Facts
        facts={[
          { label: 'Last used', value: <LastUse {...tokenLastUse(token)} /> },
          { label: 'Replaced', value: <ExactTime value={token.replaced_at} /> },
          { label: 'Ends automatically', value: <ExactTime value={token.valid_until} /> },
        ]}
      />
      {use.kind === 'used' && (
        <Note>
          <strong>It was used after it was replaced.</strong> Clients that still use it will stop
          working.
        </Note>
      )}
      {use.kind === 'watching' && (
        <Note>
          <strong>It was replaced less than two minutes ago.</strong> Clients that use it may not
          have made a call since.
        </Note>
      )}
      {use.kind === 'new_unused' && (
        <Note>
          <strong>No successful call has been made with the new token yet.</strong> Clients that
          still use the old one will stop working.
        </Note>
      )}
    </ConfirmDialog>
  );
}
