'use client';

import { useState } from 'react';

import { type Deadline, deadlineAfter } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useIdempotentAction } from '#components/shell/actions/use-idempotent-action.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { regenerateWebhookSecret, updateWebhook } from '#lib/actions/webhooks.ts';
import type { RegenerateSecretInput, Webhook } from '#lib/contract/webhooks.ts';

/** It stopped before its secret was made, or before the webhook was activated. */
export type StoppedSetUp = {
  name: 'no new secret' | 'not active';
  webhook: Webhook;
  failure: ActionFailure;
  /** When it may be tried again; null: now. */
  deadline: Deadline | null;
};

/** How far the set-up of an inactive webhook has come. */
export type SetUpStage =
  | { name: 'idle' }
  | { name: 'generating' | 'activating'; webhook: Webhook }
  | StoppedSetUp
  | { name: 'revealed'; webhook: Webhook; secret: string };

export type WebhookSetUp = {
  stage: SetUpStage;
  /** The webhook on which something is under way. */
  busyWebhook: Webhook | null;
  /** Makes the secret and reveals it. */
  begin: (webhook: Webhook) => Promise<void>;
  /** The dialog closed: a saved secret activates the webhook, an unsaved one leaves it as it is. */
  finish: (webhook: Webhook, isSaved: boolean) => Promise<void>;
};

/**
 * From an inactive webhook to an active one with a saved secret. Whatever interrupts it, the
 * webhook stays inactive, and the list and its page offer to finish.
 *
 * @param onDone it ended; the webhook as it is now if it became active, else null
 */
export function useWebhookSetUp(onDone: (active: Webhook | null) => void): WebhookSetUp {
  const [stage, setStage] = useState<SetUpStage>({ name: 'idle' });
  const runAction = useRunAction();
  const runIdempotently = useIdempotentAction<RegenerateSecretInput>();
  const isBusy = stage.name === 'generating' || stage.name === 'activating';

  async function begin(webhook: Webhook) {
    // A second one would take the dialog, and with it the secret, from the first.
    if (isBusy || stage.name === 'revealed') return;
    setStage({ name: 'generating', webhook });
    const result = await runIdempotently({
      values: webhook.uuid,
      // Nobody checks by the secret of an unfinished set-up, so there is nothing to keep alive.
      makeInput: () => ({ grace_period_seconds: 0 }),
      send: ({ input, idempotencyKey }) =>
        regenerateWebhookSecret(webhook.uuid, input, idempotencyKey),
    });
    if (result.ok) setStage({ name: 'revealed', webhook, secret: result.secret });
    else setStage({ name: 'no new secret', webhook, ...toStop(result) });
  }

  async function finish(webhook: Webhook, isSaved: boolean) {
    if (!isSaved) {
      setStage({ name: 'idle' });
      onDone(null);
      return;
    }
    setStage({ name: 'activating', webhook });
    const result = await runAction(() => updateWebhook(webhook.uuid, { is_active: true }));
    if (result.ok) {
      setStage({ name: 'idle' });
      onDone(result.webhook);
    } else {
      setStage({ name: 'not active', webhook, ...toStop(result) });
    }
  }

  return { stage, busyWebhook: isBusy ? stage.webhook : null, begin, finish };
}

function toStop(failure: ActionFailure): Pick<StoppedSetUp, 'failure' | 'deadline'> {
  const { retryAfter } = failure;
  return { failure, deadline: retryAfter === undefined ? null : deadlineAfter(retryAfter) };
}
