'use client';

import type { FocusTarget } from '#components/ui/dialog.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import type { AskedAct } from './asked-act.ts';
import { CloseRotationRequest } from './close-rotation-request.tsx';
import { EndToken } from './end-token.tsx';
import { KeyIdDialog } from './key-id-dialog.tsx';
import { RequestRotation } from './request-rotation.tsx';
import { RevokeApiKey } from './revoke-api-key.tsx';
import { RevokeLeakedKey } from './revoke-leaked-key.tsx';
import { RotateApiKey } from './rotate-api-key.tsx';
import type { Viewer } from './viewer.ts';

type ApiKeyActProps = {
  asked: AskedAct;
  /** The key as it was read last, if it was. */
  current: ApiKey | undefined;
  now: Date;
  viewer: Viewer;
  finalFocus: FocusTarget;
  /** What was read no longer tells the truth about this key. */
  onStale: () => void;
  onClosed: (didChange: boolean) => void;
};

/** The dialog of an act upon one key. */
export function ApiKeyAct({ asked, current, viewer, onClosed, ...more }: ApiKeyActProps) {
  const { now, finalFocus, onStale } = more;
  const { kind, apiKey, request, token } = asked;
  const close = () => onClosed(false);
  const closeChanged = () => onClosed(true);
  switch (kind) {
    case 'rotate':
      return (
        <RotateApiKey
          // A refusal because someone else was faster is followed by how the key stands now.
          apiKey={current ?? apiKey}
          request={request?.member.id === viewer.person.id ? request : null}
          viewer={viewer}
          now={now}
          finalFocus={finalFocus}
          onStale={onStale}
          onClosed={onClosed}
        />
      );
    case 'request-rotation':
      return (
        <RequestRotation
          apiKey={apiKey}
          accountId={viewer.account.id}
          finalFocus={finalFocus}
          onStale={onStale}
          onClose={close}
          onRequested={closeChanged}
        />
      );
    case 'close-request':
      return (
        request && (
          <CloseRotationRequest
            request={request}
            personId={viewer.person.id}
            finalFocus={finalFocus}
            onClose={close}
            onEnded={closeChanged}
          />
        )
      );
    case 'revoke-leaked':
      return (
        request && (
          <RevokeLeakedKey
            apiKey={apiKey}
            request={request}
            now={now}
            finalFocus={finalFocus}
            onClose={close}
            onRevoked={closeChanged}
          />
        )
      );
    case 'revoke':
      return (
        <RevokeApiKey
          apiKey={apiKey}
          now={now}
          finalFocus={finalFocus}
          onClose={close}
          onRevoked={closeChanged}
        />
      );
    case 'end-token':
      return (
        token && (
          <EndToken
            apiKey={apiKey}
            token={token}
            finalFocus={finalFocus}
            onClose={close}
            onEnded={closeChanged}
          />
        )
      );
    case 'show-id':
      return (
        <KeyIdDialog
          uuid={apiKey.uuid}
          name={apiKey.name}
          finalFocus={finalFocus}
          onClosed={close}
        />
      );
  }
}
