import { useState } from 'react';
import { useAction, useSecretAction } from '#components/shell/actions/use-action.ts';
import { useIdentity } from '#components/shell/actions/use-identity.ts';
import type { Deadline } from '#components/shell/feedback/rate-limit.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { regenerateWebhookSecret, updateWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { RegenerateSecretInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import { minuteMs } from '#lib/durations.ts';

/** A set-up that stopped before the secret was created, or before the webhook was activated. */
export type StoppedSetUpState = {
  name: 'no-new-secret' | 'not-active';
  webhook: Webhook;
  failure: ActionFailure;
};

/** The current step of a webhook's set-up. `just shown`: it asks before it replaces the secret. */
export type SetUpStage =
  | { name: 'idle' }
  | { name: 'just-shown'; webhook: Webhook; unconfirmed: Unconfirmed }
  | { name: 'generating' | 'activating'; webhook: Webhook }
  | StoppedSetUpState
  | { name: 'revealed'; webhook: Webhook; secret: string };

type Unconfirmed = NonNullable<Webhook['secret']['unconfirmed']>;

export type WebhookSetUp = {
  stage: SetUpStage;
  /** If the set-up stopped because of a rate limit: when that ends. */
  deadline: Deadline | null;
  /** The webhook for which an action is running. */
  busyWebhook: Webhook | null;
  /**
   * Creates the secret and shows it. If someone else was shown one a few minutes ago, or it was
   * replaced in the meantime, only calling it again creates one.
   */
  begin: (webhook: Webhook) => Promise<void>;
  /** Call it when the dialog with the secret closed. Activates the webhook if it was saved. */
  finish: (webhook: Webhook, isSaved: boolean) => Promise<void>;
};

type SetUpHandlers = {
  /** Called at the end, with the active webhook, or null if it is still inactive. */
  onDone: (active: Webhook | null) => void;
  /** Called if someone else deleted the webhook. */
  onNotFound: (webhook: Webhook) => void;
};

/** Creates an inactive webhook's secret, shows it, and activates the webhook once it is saved. */
export function useWebhookSetUp({ onDone, onNotFound }: SetUpHandlers): WebhookSetUp {
  const [stage, setStage] = useState<SetUpStage>({ name: 'idle' });
  const generation = useSecretAction<RegenerateSecretInput>('signing secret');
  const activation = useAction();
  const { personId } = useIdentity();
  const isBusy = stage.name === 'generating' || stage.name === 'activating';

  function cancel(deleted: Webhook) {
    setStage({ name: 'idle' });
    onNotFound(deleted);
  }

  async function begin(webhook: Webhook) {
    // A second set-up would replace the dialog of the first, and its secret.
    if (isBusy || stage.name === 'revealed') return;
    const wasWarned = isStoppedByOtherSecret(stage) && stage.webhook.uuid === webhook.uuid;
    const unconfirmed = wasWarned ? null : findSecretShownToOther(webhook, personId);
    if (unconfirmed !== null) {
      setStage({ name: 'just-shown', webhook, unconfirmed });
      return;
    }
    setStage({ name: 'generating', webhook });
    const stop = (failure: ActionFailure) => setStage({ name: 'no-new-secret', webhook, failure });
    await generation.runInBackground(
      {
        values: webhook.uuid,
        makeInput: () =>
          wasWarned
            ? {}
            : {
                // Nobody uses the secret of an unfinished set-up, so it needs no grace period.
                grace_period_seconds: 0,
                expected_created_at: webhook.secret.created_at,
              },
        send: ({ input: body, idempotencyKey }) =>
          regenerateWebhookSecret({ params: { webhook: webhook.uuid }, body, idempotencyKey }),
      },
      {
        onDone: ({ data: { secret } }) => setStage({ name: 'revealed', webhook, secret }),
        onNotFound: () => cancel(webhook),
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
    const stop = (failure: ActionFailure) => setStage({ name: 'not-active', webhook, failure });
    await activation.runInBackground(
      () => updateWebhook({ params: { webhook: webhook.uuid }, body: { is_active: true } }),
      {
        onDone: ({ data }) => {
          setStage({ name: 'idle' });
          onDone(data);
        },
        onNotFound: () => cancel(webhook),
        onCancelled: stop,
        onNotDone: stop,
      },
    );
  }

  return {
    stage,
    deadline: stage.name === 'not-active' ? activation.deadline : generation.deadline,
    busyWebhook: isBusy ? stage.webhook : null,
    begin,
    finish,
  };
}

/** Whether the set-up stopped because someone else may have the newest secret. */
function isStoppedByOtherSecret(
  stage: SetUpStage,
): stage is Extract<SetUpStage, { name: 'just-shown' | StoppedSetUpState['name'] }> {
  return (
    stage.name === 'just-shown' ||
    (stage.name === 'no-new-secret' && stage.failure.code === 'VALIDATION_ERROR')
  );
}

/** Whether someone else may still be saving the newest secret, shown to them minutes ago. */
function findSecretShownToOther({ secret }: Webhook, personId: string): Unconfirmed | null {
  const { unconfirmed } = secret;
  if (unconfirmed === null || unconfirmed.shown_to.id === personId) return null;
  return Date.now() - Date.parse(unconfirmed.since) < recentMs ? unconfirmed : null;
}

const recentMs = 10 * minuteMs;
