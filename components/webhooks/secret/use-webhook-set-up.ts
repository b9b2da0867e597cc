'use client';

import { useState } from 'react';

import { useAction, useSecretAction } from '#components/shell/actions/use-action.ts';
import type { Deadline } from '#components/shell/feedback/rate-limit.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { regenerateWebhookSecret, updateWebhook } from '#lib/actions/webhooks.ts';
import type { RegenerateSecretInput, Webhook } from '#lib/contract/webhooks/webhooks.ts';

/** A set-up that stopped before the secret was created, or before the webhook was activated. */
export type StoppedSetUp = {
  name: 'no new secret' | 'not active';
  webhook: Webhook;
  failure: ActionFailure;
};

/** The current step of a webhook's set-up. */
export type SetUpStage =
  | { name: 'idle' }
  | { name: 'generating' | 'activating'; webhook: Webhook }
  | StoppedSetUp
  | { name: 'revealed'; webhook: Webhook; secret: string };

export type WebhookSetUp = {
  stage: SetUpStage;
  /** If the set-up stopped because of a rate limit: when that ends. */
  deadline: Deadline | null;
  /** The webhook for which an action is running. */
  busyWebhook: Webhook | null;
  /** Creates the secret and shows it. */
  begin: (webhook: Webhook) => Promise<void>;
  /**
   * Call it when the dialog with the secret closed. Activates the webhook if the secret was saved.
   */
  finish: (webhook: Webhook, isSaved: boolean) => Promise<void>;
};

/**
 * Sets up an inactive webhook: creates its secret, shows it, and activates the webhook once it is
 * saved. If the set-up is interrupted, the webhook stays inactive, and the list and its page offer
 * to finish it.
 *
 * @param onDone called at the end, with the active webhook, or null if it is still inactive
 */
export function useWebhookSetUp(onDone: (active: Webhook | null) => void): WebhookSetUp {
  const [stage, setStage] = useState<SetUpStage>({ name: 'idle' });
  const generation = useSecretAction<RegenerateSecretInput>('signing secret');
  const activation = useAction();
  const isBusy = stage.name === 'generating' || stage.name === 'activating';

  async function begin(webhook: Webhook) {
    // A second set-up would replace the dialog of the first, and its secret.
    if (isBusy || stage.name === 'revealed') return;
    setStage({ name: 'generating', webhook });
    const stop = (failure: ActionFailure) => setStage({ name: 'no new secret', webhook, failure });
    await generation.runInBackground(
      {
        values: webhook.uuid,
        // Nobody uses the secret of an unfinished set-up, so it needs no grace period.
        makeInput: () => ({ grace_period_seconds: 0 }),
        send: ({ input, idempotencyKey }) =>
          regenerateWebhookSecret(webhook.uuid, input, idempotencyKey),
      },
      {
        onDone: ({ secret }) => setStage({ name: 'revealed', webhook, secret }),
        onCancelled: stop,
        onNotDone: stop,
      },
    );
  }

  async function finish(webhook: Webhook, isSaved: boolean) {
    if (!isSaved) {
      setStage({ name: 'idle' });
      onDone(null);
      return;
    }
    setStage({ name: 'activating', webhook });
    const stop = (failure: ActionFailure) => setStage({ name: 'not active', webhook, failure });
    await activation.runInBackground(() => updateWebhook(webhook.uuid, { is_active: true }), {
      onDone: (result) => {
        setStage({ name: 'idle' });
        onDone(result.webhook);
      },
      onCancelled: stop,
      onNotDone: stop,
    });
  }

  return {
    stage,
    deadline: stage.name === 'not active' ? activation.deadline : generation.deadline,
    busyWebhook: isBusy ? stage.webhook : null,
    begin,
    finish,
  };
}
