'use client';

import { Clock } from 'lucide-react';
import { useRef } from 'react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';

import { findReportedToken, ReportedToken } from '../rotation/request/reported-token.tsx';
import { RequestSummary } from '#components/shell/requests/request-summary.tsx';
import type { KeyActions } from '../actions/use-api-key-actions.ts';

export const outgoingRequestId = 'outgoing-rotation-request';

type OutgoingRotationRequestProps = {
  apiKey: ApiKey;
  personId: string;
  actions: KeyActions;
  now: Date;
};

/**
 * A banner for the person who requested a rotation: the member who should rotate it, and buttons to
 * withdraw the request or revoke the key.
 */
export function OutgoingRotationRequest({
  apiKey,
  personId,
  actions,
  now,
}: OutgoingRotationRequestProps) {
  const withdraw = useRef<HTMLButtonElement>(null);
  const revoke = useRef<HTMLButtonElement>(null);
  const rotation = actions.rotationOptionFor(apiKey);
  if (rotation.kind !== 'requested') return null;
  const { request } = rotation;
  const reported = findReportedToken(apiKey, { request, now });
  return (
    <Banner
      role="none"
      icon={<Clock />}
      title={<RequestSummary request={request} personId={personId} />}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          <Button
            ref={withdraw}
            id={outgoingRequestId}
            onClick={() => actions.onCloseRequest(apiKey, withdraw.current, request)}
          >
            Withdraw
          </Button>
          {request.reason === 'leaked' && (
            <Button
              ref={revoke}
              onClick={() => actions.onRevokeLeaked(apiKey, revoke.current, request)}
            >
              Revoke now
            </Button>
          )}
        </div>
      }
    >
      {wordRequestReason(request)}.{' '}
      {reported ? (
        <ReportedToken apiKey={apiKey} token={reported} />
      ) : (
        <>
          Nothing changes until {request.member.name} rotates it
          {request.reason === 'leaked' && ' or you revoke it'}.
        </>
      )}
      {request.mailed_at === null &&
        (request.reason === 'leaked'
          ? ' Three reports about this key were emailed in the last 24 hours, so owners and admins get the email about this one within an hour.'
          : ` ${request.member.name} already received three emails about this key in the last 24 hours, so no email was sent for this request.`)}
    </Banner>
  );
}
