import { RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { lazyDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { requestActTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { KeyActions } from '../actions/use-api-key-actions.ts';
import { targetPath } from './target-path.ts';

type RequestActionsProps = {
  request: RotationRequest;
  apiKey: ApiKey;
  actions: KeyActions;
  personId: string;
};

/**
 * What the named member or the requester can do with an open request, and someone else of support
 * with a report of a leak; nothing for others.
 */
export function RequestActions({ request, apiKey, actions, personId }: RequestActionsProps) {
  const first = useRef<HTMLButtonElement>(null);
  const second = useRef<HTMLButtonElement>(null);
  if (request.member.id === personId) {
    return (
      <div className="grid gap-3 border-t border-line pt-5">
        <div className="flex flex-wrap gap-2 max-sm:[&>button]:flex-1">
          <Button
            ref={first}
            variant="primary"
            icon={<RotateCw />}
            onClick={() => actions.onRotate(apiKey, first.current, request)}
          >
            Rotate and show token
          </Button>
          <Button
            ref={second}
            onClick={() => actions.onCloseRequest(apiKey, second.current, request)}
          >
            Decline
          </Button>
        </div>
        <p className="text-small text-ink-3">
          The new token is created when you rotate the key. You choose how long the current one
          stays valid, and confirm that it is you.
        </p>
      </div>
    );
  }
  const isOwn = request.requested_by.id === personId;
  const isLeak = request.reason === 'leaked';
  // Owners and admins revoke the key on its page.
  const mayRevoke = isLeak && actions.onRevoke === undefined && actions.mayRequest;
  if (!isOwn && !mayRevoke) return null;
  return (
    <div className="flex flex-wrap gap-2 border-t border-line pt-5 max-sm:[&>button]:flex-1">
      {isOwn && (
        <Button ref={first} onClick={() => actions.onCloseRequest(apiKey, first.current, request)}>
          Withdraw
        </Button>
      )}
      {((isOwn && isLeak) || mayRevoke) && (
        <Button
          ref={second}
          onClick={() => actions.onRevokeLeaked(apiKey, second.current, request)}
        >
          Revoke now
        </Button>
      )}
    </div>
  );
}

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
      <LazyCloseRequest
        isOpen={isClosing}
        request={request}
        personId={personId}
        finalFocus={close}
        onStale={onChanged}
        onClose={() => setIsClosing(false)}
        onEnded={endDialog}
      />
    </div>
  );
}

const LazyCloseRequest = lazyDialog(
  async () => (await import('#components/shell/requests/close-request.tsx')).CloseRequest,
);
