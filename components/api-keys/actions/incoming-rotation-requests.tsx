'use client';

import { RotateCw } from 'lucide-react';
import { useRef } from 'react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { isRequestOpen } from '../rotation/rotation-option.ts';
import type { KeyActions } from './use-api-key-actions.ts';

type IncomingRotationRequestsProps = {
  /** The keys on this page. Requests for other keys are not shown. */
  apiKeys: readonly ApiKey[];
  actions: KeyActions;
  now: Date;
};

/** A banner for each open request that asks this person to rotate a key. */
export function IncomingRotationRequests({ apiKeys, actions, now }: IncomingRotationRequestsProps) {
  const incoming = apiKeys.flatMap((apiKey) => {
    const rotation = actions.rotationOptionFor(apiKey);
    if (rotation.kind !== 'rotate' || rotation.request === null) return [];
    return isRequestOpen(rotation.request, now) ? [{ apiKey, request: rotation.request }] : [];
  });
  if (incoming.length === 0) return null;
  return (
    <section aria-label="Rotation requests for you" className="grid gap-2">
      {incoming.map(({ apiKey, request }) => (
        <IncomingRequest key={request.uuid} apiKey={apiKey} request={request} actions={actions} />
      ))}
    </section>
  );
}

type IncomingRequestProps = { apiKey: ApiKey; request: RotationRequest; actions: KeyActions };

function IncomingRequest({ apiKey, request, actions }: IncomingRequestProps) {
  const rotate = useRef<HTMLButtonElement>(null);
  const decline = useRef<HTMLButtonElement>(null);
  const { requested_by: requester, reason, note, expires_at: end } = request;
  return (
    <Banner
      role="none"
      tone={reason === 'leaked' ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={`${requester.name} asks you to rotate ${apiKey.name}`}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          <Button ref={decline} onClick={() => actions.onCloseRequest(apiKey, decline.current)}>
            Decline<span className="sr-only"> to rotate {apiKey.name}</span>
          </Button>
          <Button ref={rotate} onClick={() => actions.onRotate(apiKey, rotate.current)}>
            Rotate and show<span className="sr-only"> the new token of {apiKey.name}</span>
          </Button>
        </div>
      }
    >
      {rotationReasonTable[reason]}. {note !== null && `“${note}” `}The request expires on{' '}
      <ExactTime value={end} />.
    </Banner>
  );
}
