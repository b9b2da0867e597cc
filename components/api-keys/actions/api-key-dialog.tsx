'use client';

import { endReasonOf } from '#components/shell/requests/open-requests.ts';
import { CloseRequest } from '#components/shell/requests/close-request.tsx';
import { CopyDialog } from '#components/ui/overlays/copy-dialog.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import type { ApiKeyDialogOutcome, ShownApiKeyDialog } from './shown-api-key-dialog.ts';
import { EndToken } from '../revocation/end-token.tsx';
import { RequestRotation } from '../rotation/request/request-rotation.tsx';
import { RevokeApiKey } from '../revocation/revoke-api-key.tsx';
import { RevokeLeakedKey } from '../revocation/revoke-leaked-key.tsx';
import { RotateApiKey } from '../rotation/rotate-api-key.tsx';
import { ShowNewToken } from '../rotation/new-token/show-new-token.tsx';
import { UndoRotation } from '../rotation/new-token/undo-rotation.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';

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
          // After somebody else rotated the key, the dialog must show the current token.
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
    case 'show-new-token':
      return (
        <ShowNewToken
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
