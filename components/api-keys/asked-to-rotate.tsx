'use client';

import { RotateCw } from 'lucide-react';
import { useRef } from 'react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { rotationReasonTable } from '#lib/contract/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { isWaiting } from './key-rotation.ts';
import type { KeyActs } from './use-api-key-acts.ts';

type AskedToRotateProps = {
  /** The keys in sight; a request for another one waits on its own page. */
  apiKeys: readonly ApiKey[];
  acts: KeyActs;
  now: Date;
};

/** To whom requests were made: what they are asked, by whom and why. */
export function AskedToRotate({ apiKeys, acts, now }: AskedToRotateProps) {
  const asked = apiKeys.flatMap((apiKey) => {
    const rotation = acts.rotationOf(apiKey);
    if (rotation.kind !== 'rotate' || rotation.request === null) return [];
    return isWaiting(rotation.request, now) ? [{ apiKey, request: rotation.request }] : [];
  });
  if (asked.length === 0) return null;
  return (
    <section aria-label="Rotations you are asked for" className="grid gap-2">
      {asked.map(({ apiKey, request }) => (
        <Asked key={request.uuid} apiKey={apiKey} request={request} acts={acts} />
      ))}
    </section>
  );
}

type AskedProps = { apiKey: ApiKey; request: RotationRequest; acts: KeyActs };

function Asked({ apiKey, request, acts }: AskedProps) {
  const rotate = useRef<HTMLButtonElement>(null);
  const decline = useRef<HTMLButtonElement>(null);
  const { requested_by: asker, reason, note, expires_at: end } = request;
  return (
    <Banner
      role="none"
      tone={reason === 'leaked' ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={`${asker.name} asks you to rotate ${apiKey.name}`}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          <Button ref={decline} onClick={() => acts.onClose(apiKey, decline.current)}>
            Decline<span className="sr-only"> to rotate {apiKey.name}</span>
          </Button>
          <Button ref={rotate} onClick={() => acts.onRotate(apiKey, rotate.current)}>
            Rotate and show<span className="sr-only"> the new token of {apiKey.name}</span>
          </Button>
        </div>
      }
    >
      {rotationReasonTable[reason]}. {note !== null && `“${note}” `}The request ends{' '}
      <ExactTime value={end} />.
    </Banner>
  );
}
