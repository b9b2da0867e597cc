import { useState } from 'react';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { RevokeApiKey } from '../revocation/revoke-api-key.tsx';
import { ShowNewToken } from './new-token/show-new-token.tsx';
import { NewToken } from './new-token/new-token.tsx';
import { RequestRotation } from './request/request-rotation.tsx';
import type { EndReason } from '#components/shell/requests/open-requests.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import { findUnconfirmedOptions } from '../unconfirmed-token.ts';
import type { Session } from '#lib/contract/people/sessions.ts';

type RotateApiKeyProps = {
  apiKey: ApiKey;
  /** The rotation request that this fulfills, if there is one. */
  request: RotationRequest | null;
  /** Why its token should end immediately; null if it need not. */
  endReason: EndReason | null;
  session: Session;
  now: Date;
  finalFocus: FocusTarget;
  /** Called when the key must be read again. */
  onStale: () => void;
  onClose: () => void;
  /** Called if a leak was reported or the key was revoked instead. */
  onChanged: () => void;
  /** Called when the dialog with the new token is closed. */
  onRotated: (lastFour: string) => void;
};

/** Rotates a key: asks for the grace period, then shows the new token once. */
export function RotateApiKey(props: RotateApiKeyProps) {
  const { apiKey, request, endReason, session, now, finalFocus } = props;
  const { onStale, onClose, onChanged, onRotated } = props;
  const [newToken, setNewToken] = useState<{ token: string; message: string } | null>(null);

  const [isReporting, setIsReporting] = useState(false);
  const [isRevoking, setIsRevoking] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);

  const rights = memberRightsOf(session);
  const mayEndTokens = memberMay(rights, 'api-keys.end-tokens');
  const { canReplace } = findUnconfirmedOptions(apiKey, {
    // A person who may not be shown the token cannot open this dialog.
    person: { id: session.person.id, mayRotate: true, maySeeToken: true, mayEndTokens },
    now,
  });

  if (isReporting) {
    return (
      <RequestRotation
        apiKey={apiKey}
        accountId={session.account.id}
        isLeakReport
        now={now}
        finalFocus={finalFocus}
        onStale={onStale}
        onClose={onClose}
        onChanged={onChanged}
      />
    );
  }
  if (isRevoking) {
    return (
      <RevokeApiKey
        apiKey={apiKey}
        isLeaked={endReason === 'leaked'}
        now={now}
        finalFocus={finalFocus}
        onClose={onClose}
        onRevoked={onChanged}
      />
    );
  }
  if (isReplacing) {
    return (
      <ShowNewToken
        accountId={session.account.id}
        apiKey={apiKey}
        now={now}
        finalFocus={finalFocus}
        onStale={onStale}
        onClose={onClose}
        onShown={onRotated}
      />
    );
  }
  if (newToken === null) {
    return (
      <RotateDialog
        apiKey={apiKey}
        personId={session.person.id}
        request={request}
        endReason={endReason}
        defaultGrace={session.rotation_grace_seconds}
        mayEndTokens={mayEndTokens}
        onReportLeak={() => setIsReporting(true)}
        onRevoke={memberMay(rights, 'api-keys.revoke') ? () => setIsRevoking(true) : undefined}
        onReplace={canReplace ? () => setIsReplacing(true) : undefined}
        now={now}
        finalFocus={finalFocus}
        onStale={onStale}
        onRotated={setNewToken}
        onClose={onClose}
      />
    );
  }
  return (
    <NewToken
      accountId={session.account.id}
      apiKey={apiKey}
      {...newToken}
      finalFocus={finalFocus}
      onClosed={(lastFour) => {
        setNewToken(null);
        onRotated(lastFour);
      }}
    />
  );
}
