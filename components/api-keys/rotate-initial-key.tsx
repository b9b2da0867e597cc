'use client';

import { KeyRound } from 'lucide-react';
import { useRef } from 'react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { isStillInitial } from './api-key-state.ts';
import type { KeyActs } from './use-api-key-acts.ts';

type RotateInitialKeyProps = { apiKey: ApiKey; acts: KeyActs; now: Date };

/** Asks those who can to replace a token that was chosen in the service's settings. */
export function RotateInitialKey({ apiKey, acts, now }: RotateInitialKeyProps) {
  const rotate = useRef<HTMLButtonElement>(null);
  if (!isStillInitial(apiKey, now) || acts.rotationOf(apiKey).kind !== 'rotate') return null;
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<KeyRound />}
      title={`${apiKey.name} has the token it was started with`}
      action={
        <Button ref={rotate} onClick={() => acts.onRotate(apiKey, rotate.current)}>
          Rotate {apiKey.name}
        </Button>
      }
    >
      It stands in the service’s settings, as <code className="code">INIT_API_KEY</code>. Rotate it,
      and keep the new token where no settings file shows it.
    </Banner>
  );
}
