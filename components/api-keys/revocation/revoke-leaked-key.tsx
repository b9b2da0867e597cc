'use client';

import { useState } from 'react';

import { ActionDialog } from '#components/shell/actions/action-dialog.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { revokeLeakedKey } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { wasUsedRecently, revocationFacts } from './revocation-facts.tsx';

type RevokeLeakedKeyProps = {
  apiKey: ApiKey;
  request: RotationRequest;
  now: Date;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRevoked: () => void;
};

/**
 * Asks for confirmation before a key that was reported as leaked is revoked, without waiting for
 * its rotation.
 */
export function RevokeLeakedKey({ apiKey, request, now, ...outcomes }: RevokeLeakedKeyProps) {
  const { finalFocus, onClose, onRevoked } = outcomes;
  // Decided when the dialog opens: the field must not appear or disappear while somebody types.
  const [isInUse] = useState(() => wasUsedRecently(apiKey, now));
  const { run, ...action } = useAction();
  return (
    <ActionDialog
      kind="question"
      tone="danger"
      title={`Revoke ${apiKey.name}`}
      sentence={`Calls with this key are rejected with 401 immediately, and ${request.member.name} no longer needs to rotate it. All owners are notified by email. This cannot be undone.`}
      facts={revocationFacts(apiKey, now)}
      typedName={isInUse ? apiKey.name : undefined}
      action={action}
      rateLimit="A person can revoke 3 reported keys a day. An owner or an admin can revoke this one now."
      keepsInput
      adviceIfUnknown="The key may have been revoked. Revoking again is safe."
      onConfirm={() =>
        run(() => revokeLeakedKey(request.uuid), { onDone: onRevoked, onNotFound: onRevoked })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}
