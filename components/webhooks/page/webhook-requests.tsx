'use client';

import { MessageSquareText } from 'lucide-react';
import { useRef } from 'react';

import { RequestSummary } from '#components/shell/requests/request-summary.tsx';
import { requestPath } from '#components/shell/requests/request-path.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { requestActTable, wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import type { WebhookActions } from '../actions/webhook-actions.ts';

type WebhookRequestsProps = {
  webhook: Webhook;
  /** The open requests about it, the most urgent first. */
  requests: readonly RotationRequest[];
  personId: string;
  actions: WebhookActions;
};

/**
 * A banner above every tab for each open request about the webhook that this person made, received
 * or may see, because it reports a leak.
 */
export function WebhookRequests({ webhook, requests, personId, actions }: WebhookRequestsProps) {
  if (requests.length === 0) return null;
  return (
    <section aria-label="Requests" className="mb-6 grid gap-2 max-sm:mb-5">
      {requests.map((request) => (
        <OpenRequest
          key={request.uuid}
          request={request}
          webhook={webhook}
          personId={personId}
          actions={actions}
        />
      ))}
    </section>
  );
}

type OpenRequestProps = {
  request: RotationRequest;
  webhook: Webhook;
  personId: string;
  actions: WebhookActions;
};

function OpenRequest({ request, webhook, personId, actions }: OpenRequestProps) {
  const act = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const { member, requested_by: requester, note } = request;
  const isInvolved = [member.id, requester.id].includes(personId);
  const onAct = request.act === 'resume' ? actions.onResume : actions.onRegenerate;
  return (
    <Banner
      role="none"
      tone={request.reason === 'leaked' ? 'warn' : 'plain'}
      icon={<MessageSquareText />}
      title={<RequestSummary request={request} personId={personId} />}
      action={
        <div className="flex gap-2 max-sm:*:flex-1">
          {isInvolved ? (
            <Button
              ref={close}
              onClick={() => actions.onCloseRequest(webhook, close.current, request)}
            >
              {requester.id === personId ? 'Withdraw' : 'Decline'}
            </Button>
          ) : (
            <ButtonLink href={requestPath(request)}>Open request</ButtonLink>
          )}
          {onAct && (
            <Button ref={act} onClick={() => onAct(webhook, act.current)}>
              {requestActTable[request.act]}
            </Button>
          )}
        </div>
      }
    >
      {wordRequestReason(request)}. {note !== null && `“${note}”`}
    </Banner>
  );
}
