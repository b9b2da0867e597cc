'use client';

import { useState } from 'react';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { revokeApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { wasUsedRecently, revocationFacts } from './revocation-facts.tsx';
import { leaked, RevocationReason } from './revocation-reason.tsx';

type RevokeApiKeyProps = {
  apiKey: ApiKey;
  /** Whether its token may have leaked, which is the reason at first. */
  isLeaked?: boolean;
  now: Date;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRevoked: () => void;
};

/**
 * Asks for confirmation before a key is revoked. If the key was used recently, its name must be
 * typed.
 */
export function RevokeApiKey({
  apiKey,
  isLeaked = false,
  now,
  finalFocus,
  onClose,
  onRevoked,
}: RevokeApiKeyProps) {
  const [reason, setReason] = useState(isLeaked ? leaked : '');
  // Decided when the dialog opens: the field must not appear or disappear while somebody types.
  const [isInUse] = useState(() => wasUsedRecently(apiKey, now));
  const { run, ...action } = useAction();
  const toast = useToast();
  const reasonError = action.failure?.details?.['reason']?.join(' ');

  function finish() {
    toast(`${apiKey.name} revoked`);
    onRevoked();
  }

  function revoke() {
    const body = reason.trim() === '' ? {} : { reason };
    run(() => revokeApiKey({ params: { apiKey: apiKey.uuid }, body }), {
      onDone: finish,
      onNotFound: onRevoked,
    });
  }

  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      sentence="Calls with this key are rejected with 401 immediately. This cannot be undone."
      action={reasonError === undefined ? action : { ...action, failure: null }}
      buttons={{ tone: 'danger' }}
      typedName={isInUse ? apiKey.name : undefined}
      failure={{ adviceIfUnknown: 'The key may have been revoked. Revoking again is safe.' }}
      onConfirm={revoke}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Facts facts={revocationFacts(apiKey, now)} />
      <RevocationReason value={reason} onChange={setReason} error={reasonError} />
    </ConfirmDialog>
  );
}
