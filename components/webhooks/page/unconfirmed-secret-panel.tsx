'use client';

import { useRef } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import { useIdentity } from '#components/shell/actions/use-run-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { whomToAsk } from '#components/shell/one-time-secret/whom-to-ask.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Choice, ChoicePanel } from '#components/ui/feedback/choice-panel.tsx';
import { confirmSecret } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

import type { WebhookHandler } from '../actions/use-webhook-actions.ts';
import { useWebhookCache } from '../actions/use-webhook-cache.ts';

export type UnconfirmedSecretPanelProps = {
  webhook: Webhook;
  accountId: string;
  /** Undefined: the person may not regenerate the secret. */
  onRegenerate: WebhookHandler | undefined;
};

/** Says that nobody confirmed having the signing secret, and what the person can do about it. */
export function UnconfirmedSecretPanel({
  webhook,
  accountId,
  onRegenerate,
}: UnconfirmedSecretPanelProps) {
  const { personId } = useIdentity();
  const { unconfirmed } = webhook.secret;
  if (unconfirmed === null) return null;
  const { since, shown_to: shownTo } = unconfirmed;
  const canConfirm = onRegenerate !== undefined && shownTo.id === personId;
  return (
    <ChoicePanel
      title="Nobody confirmed having the signing secret"
      lead={
        <>
          It was shown to {shownTo.name} on <ExactTime value={since} />.{' '}
          {webhook.is_active
            ? 'Deliveries are signed with it.'
            : 'Deliveries will be signed with it once the webhook is resumed.'}
          {onRegenerate === undefined && ` ${whomToAsk(shownTo, personId)}`}
        </>
      }
    >
      {canConfirm && <Confirm webhook={webhook} shownAt={since} accountId={accountId} />}
      {onRegenerate && <Replace webhook={webhook} onRegenerate={onRegenerate} />}
    </ChoicePanel>
  );
}

type ConfirmProps = { webhook: Webhook; shownAt: string; accountId: string };

function Confirm({ webhook, shownAt, accountId }: ConfirmProps) {
  const { run, ...action } = useAction();
  const { refetch } = useWebhookCache(accountId);
  return (
    <>
      <Choice
        title="You have saved the secret"
        action={
          <Button
            pending={action.isPending}
            disabledReason={action.isPending ? undefined : rateLimitReason(action.secondsLeft)}
            onClick={() =>
              run(() => confirmSecret(webhook.uuid, { shown_at: shownAt }), {
                onDone: refetch,
                onNotFound: refetch,
                onFailure: (failure, show) => {
                  show(failure);
                  refetch();
                },
              })
            }
          >
            I have this secret
          </Button>
        }
      >
        Marks it as confirmed. Nothing else changes.
      </Choice>
      {action.failure && (
        <div className="px-3.5 pb-3">
          <ActionFailurePanel
            failure={action.failure}
            role="alert"
            notDone="The secret was not confirmed"
            unknown="It is unknown whether the secret was confirmed"
            adviceIfUnknown="Trying again is safe."
          />
        </div>
      )}
    </>
  );
}

type ReplaceProps = { webhook: Webhook; onRegenerate: WebhookHandler };

function Replace({ webhook, onRegenerate }: ReplaceProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Choice
      title="The secret is lost"
      action={
        <Button
          ref={button}
          variant="primary"
          onClick={() => onRegenerate(webhook, button.current)}
        >
          Show a new one
        </Button>
      }
    >
      Regenerates the secret and shows the new one once. You choose how long the lost one signs
      beside it.
    </Choice>
  );
}
