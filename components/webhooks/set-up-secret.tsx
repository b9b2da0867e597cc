'use client';

import { findMenuButton } from './menu-cell.ts';
import { NewSecret } from './new-secret.tsx';
import type { WebhookSetUp } from './use-webhook-set-up.ts';

/** The secret of a webhook being set up, as soon as there is one. */
export function SetUpSecret({ setUp }: { setUp: WebhookSetUp }) {
  const { stage } = setUp;
  if (stage.name !== 'revealed') return null;
  const { webhook, secret } = stage;
  return (
    <NewSecret
      webhook={webhook}
      secret={secret}
      ifClosed="The webhook stays inactive; “Finish set-up” in the list makes another."
      onClosed={(isSaved) => void setUp.finish(webhook, isSaved)}
      finalFocus={() => findMenuButton(webhook)}
    />
  );
}
