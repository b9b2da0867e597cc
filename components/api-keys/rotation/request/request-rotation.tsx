import { useState } from 'react';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { RevokeLeakedKey } from '../../revocation/revoke-leaked-key.tsx';
import { RequestRotationDialog } from './request-rotation-dialog.tsx';

type RequestRotationProps = {
  apiKey: ApiKey;
  accountId: string;
  /** Reports that the token leaked, so there is no other reason to choose. */
  isLeakReport?: boolean;
  /** The person's own open request, which the report of a leak replaces. */
  replaced?: RotationRequest | null;
  now: Date;
  finalFocus: FocusTarget;
  onStale: () => void;
  onClose: () => void;
  /** Called when the last dialog is closed after the rotation was requested. */
  onChanged: () => void;
};

/** Requests a rotation. If the token leaked, it then offers to revoke the key without waiting. */
export function RequestRotation({
  apiKey,
  accountId,
  isLeakReport = false,
  replaced = null,
  now,
  finalFocus,
  onStale,
  onClose,
  onChanged,
}: RequestRotationProps) {
  const [report, setReport] = useState<RotationRequest | null>(null);
  if (report === null) {
    return (
      <RequestRotationDialog
        apiKey={apiKey}
        accountId={accountId}
        isLeakReport={isLeakReport}
        replaced={replaced}
        finalFocus={finalFocus}
        onStale={onStale}
        onClose={onClose}
        onRequested={(made) => (made.reason === 'leaked' ? setReport(made) : onChanged())}
      />
    );
  }
  return (
    <RevokeLeakedKey
      apiKey={apiKey}
      request={report}
      now={now}
      isJustReported
      finalFocus={finalFocus}
      onStale={onStale}
      onClose={onChanged}
      onRevoked={onChanged}
    />
  );
}
