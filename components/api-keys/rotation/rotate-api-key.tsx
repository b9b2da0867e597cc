'use client';

import { useState } from 'react';

import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-keys.ts';
import { memberMay, memberRightsOf } from '#lib/contract/api-keys/ceiling.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { RequestRotation } from './request-rotation.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { RotationMessage } from './rotation-message.tsx';
import { timesInText } from '#components/shell/feedback/service-text.tsx';
import type { Viewer } from '../viewer.ts';

type RotateApiKeyProps = {
  apiKey: ApiKey;
  /** The rotation request that this fulfils, if there is one. */
  request: RotationRequest | null;
  viewer: Viewer;
  now: Date;
  finalFocus: FocusTarget;
  /** Called when the key must be read again. */
  onStale: () => void;
  onClose: () => void;
  /** Called if a leak was reported instead. */
  onRequested: () => void;
  /** Called when the dialog with the new token is closed. */
  onRotated: (lastFour: string) => void;
};

/** Rotates a key: asks for the grace period, then shows the new token once. */
export function RotateApiKey(props: RotateApiKeyProps) {
  const { apiKey, request, viewer, now, finalFocus, onStale, onClose, onRequested, onRotated } =
    props;
  const [newToken, setNewToken] = useState<{ token: string; message: string } | null>(null);

  const [isReporting, setReporting] = useState(false);

  if (isReporting) {
    return (
      <RequestRotation
        apiKey={apiKey}
        accountId={viewer.account.id}
        reason="leaked"
        finalFocus={finalFocus}
        onStale={onStale}
        onClose={onClose}
        onRequested={onRequested}
      />
    );
  }
  if (newToken === null) {
    return (
      <RotateDialog
        apiKey={apiKey}
        request={request}
        mayEndTokens={memberMay(memberRightsOf(viewer), 'api-keys.end-tokens')}
        onReportLeak={() => setReporting(true)}
        now={now}
        finalFocus={finalFocus}
        onStale={onStale}
        onRotated={setNewToken}
        onClose={onClose}
      />
    );
  }
  const oldTokenEnds = timesInText(newToken.message);
  const lastEnd = oldTokenEnds.toSorted().at(-1);
  return (
    <OneTimeSecret
      kind="token"
      subject={apiKey.name}
      value={newToken.token}
      envName="MESSAGING_API_KEY"
      sentence="It is shown only once. If you lose it, rotate the key again."
      note={<RotationMessage message={newToken.message} />}
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
      finalFocus={finalFocus}
      onClosed={() => {
        setNewToken(null);
        onRotated(newToken.token.slice(-4));
      }}
    />
  );
}
