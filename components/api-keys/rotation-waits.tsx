'use client';

import { Clock } from 'lucide-react';
import { useRef } from 'react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { rotationReasonTable } from '#lib/contract/rotation-reasons.ts';

import { RotationAsked } from './rotation-asked.tsx';
import type { KeyActs } from './use-api-key-acts.ts';

type RotationWaitsProps = { apiKey: ApiKey; personId: string; acts: KeyActs };

/** To whoever asked: that it waits, and what they can still do. */
export function RotationWaits({ apiKey, personId, acts }: RotationWaitsProps) {
  const withdraw = useRef<HTMLButtonElement>(null);
  const revoke = useRef<HTMLButtonElement>(null);
  const rotation = acts.rotationOf(apiKey);
  if (rotation.kind !== 'asked') return null;
  const { request } = rotation;
  return (
    <Banner
      role="none"
      icon={<Clock />}
      title={<RotationAsked request={request} personId={personId} />}
      action={
        <div className="flex gap-2 max-sm:[&>button]:flex-1">
          <Button ref={withdraw} onClick={() => acts.onClose(apiKey, withdraw.current)}>
            Withdraw
          </Button>
          {request.reason === 'leaked' && (
            <Button ref={revoke} onClick={() => acts.onRevokeLeaked(apiKey, revoke.current)}>
              Revoke now
            </Button>
          )}
        </div>
      }
    >
      {rotationReasonTable[request.reason]}. Nothing changes until {request.member.name} rotates it
      {request.reason === 'leaked' && ' or you revoke it'}.
      {request.mailed_at === null &&
        ` ${request.member.name} has had three mails about this key within a day, so no other was sent.`}
    </Banner>
  );
}
