import { useState } from 'react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { olderTokens } from '#components/shell/states/older-tokens.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { revokeLeakedKey } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { describeAskedMember } from '#components/shell/requests/describe-asked-member.ts';
import { wasUsedRecently, revocationFacts } from './revocation-facts.tsx';

type RevokeLeakedKeyProps = DialogClosing & {
  apiKey: ApiKey;
  request: RotationRequest;
  now: Date;
  /** The dialog follows the report, and says first who was asked. */
  isJustReported?: boolean;
  /** Called when key and request must be read again: the request has ended in the meantime. */
  onStale: () => void;
  onRevoked: () => void;
};

/** Confirms that a key that was reported as leaked is revoked without waiting for its rotation. */
export function RevokeLeakedKey({
  apiKey,
  request,
  now,
  isJustReported = false,
  onStale,
  onRevoked,
  ...dialog
}: RevokeLeakedKeyProps) {
  // Decided when the dialog opens: the field must not appear or disappear while someone types.
  const [isInUse] = useState(() => wasUsedRecently(apiKey, now));
  const { run, ...action } = useAction();
  const toast = useToast();

  function finish() {
    toast(`${apiKey.name} revoked`);
    onRevoked();
  }

  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      sentence={`Calls with this key are rejected with 401 immediately, and ${request.member.name} no longer needs to rotate it. All owners and admins are notified by email. This cannot be undone.`}
      action={action}
      buttons={{ tone: 'danger', cancel: isJustReported ? 'Not now' : 'Cancel' }}
      typedName={isInUse ? apiKey.name : undefined}
      failure={{
        adviceIfUnknown: 'The key may have been revoked. Revoking again is safe.',
        rateLimit:
          'A person can revoke 3 keys that they reported within 24 hours. An owner, an admin or someone else in support can revoke this one now, on the page of the report.',
      }}
      onConfirm={() =>
        run(() => revokeLeakedKey({ params: { rotationRequest: request.uuid } }), {
          onDone: finish,
          onNotFound: onRevoked,
          onFailure: (failure, show) => {
            show(failure);
            if (failure.details?.['rotation_request']) onStale();
          },
        })
      }
      {...dialog}
    >
      <Facts facts={revocationFacts(apiKey, now)} />
      {isJustReported && (
        <Note>{describeAskedMember(request)}. If you cannot wait, revoke it now.</Note>
      )}
      {action.failure?.details?.['rotation_request'] && olderTokens(apiKey, now).length > 0 && (
        <Note>An older token of the key still works. Report the leak again to revoke the key.</Note>
      )}
    </ConfirmDialog>
  );
}
