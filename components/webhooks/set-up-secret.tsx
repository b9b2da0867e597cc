'use client';

import type { FocusTarget } from '#components/ui/dialog.tsx';

import { NewSecret } from './new-secret.tsx';
import type { WebhookSetUp } from './use-webhook-set-up.ts';

type SetUpSecretProps = { setUp: WebhookSetUp; finalFocus: FocusTarget };

/** The secret of a webhook being set up, as soon as there is one. */
export function SetUpSecret({ setUp, finalFocus }: SetUpSecretProps) {
  const { stage } = setUp;
  if (stage.name !== 'revealed') return null;
  const { webhook, secret } = stage;
  return (
    <NewSecret
      webhook={webhook}
      secret={secret}
      ifClosed="The webhook stays inactive; “Finish set-up” makes another."
      onClosed={(isSaved) => void setUp.finish(webhook, isSaved)}
      finalFocus={finalFocus}
    />
  );
}
