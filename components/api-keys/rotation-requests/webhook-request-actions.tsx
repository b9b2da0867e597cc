'use client';

import { useRef, useState } from 'react';

import { CloseRequest } from '#components/shell/requests/close-request.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { requestActTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { targetPath } from './target-path.ts';

type WebhookRequestActionsProps = {
  request: RotationRequest;
  personId: string;
  /** Called when the request must be read again. */
  onChanged: () => void;
};

/**
 * What the named member or the requester can do with an open request about a webhook; nothing for
 * others. The act itself is on the webhook's page.
 */
export function WebhookRequestActions({
  request,
  personId,
  onChanged,
}: WebhookRequestActionsProps) {
  const close = useRef<HTMLButtonElement>(null);
  const [isClosing, setIsClosing] = useState(false);
  const isMember = request.member.id === personId;
  if (!isMember && request.requested_by.id !== personId) return null;
  const endDialog = () => {
    setIsClosing(false);
    onChanged();
  };
  return (
    <div className="flex flex-wrap gap-2 border-t border-line pt-5 max-sm:*:flex-1">
      {isMember && (
        <ButtonLink variant="primary" href={targetPath(request)}>
          {requestActTable[request.act]}
        </ButtonLink>
      )}
      <Button ref={close} onClick={() => setIsClosing(true)}>
        {isMember ? 'Decline' : 'Withdraw'}
      </Button>
      {isClosing && (
        <CloseRequest
          request={request}
          personId={personId}
          finalFocus={close}
          onStale={onChanged}
          onClose={() => setIsClosing(false)}
          onEnded={endDialog}
        />
      )}
    </div>
  );
}
