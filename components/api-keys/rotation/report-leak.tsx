'use client';

import { useState } from 'react';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { RevokeLeakedKey } from '../revocation/revoke-leaked-key.tsx';
import { RequestRotation } from './request-rotation.tsx';

type ReportLeakProps = {
  apiKey: ApiKey;
  accountId: string;
  /** The person's own open request, which the report replaces. */
  replaced?: RotationRequest | null;
  now: Date;
  finalFocus: FocusTarget;
  onStale: () => void;
  onClose: () => void;
  /** Called when the dialog is closed after the leak was reported. */
  onChanged: () => void;
};

/** Reports a leak, and then offers to revoke the key without waiting for its rotation. */
export function ReportLeak({ apiKey, accountId, replaced = null, now, ...more }: ReportLeakProps) {
  const { finalFocus, onStale, onClose, onChanged } = more;
  const [report, setReport] = useState<RotationRequest | null>(null);
  if (report === null) {
    return (
      <RequestRotation
        apiKey={apiKey}
        accountId={accountId}
        isLeakReport
        replaced={replaced}
        finalFocus={finalFocus}
        onStale={onStale}
        onClose={onClose}
        onRequested={setReport}
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
