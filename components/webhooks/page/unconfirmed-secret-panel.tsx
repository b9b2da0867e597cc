import { useRef } from 'react';
import { ConfirmChoice } from '#components/shell/actions/confirm-choice.tsx';
import { useIdentity } from '#components/shell/actions/use-identity.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Choice, ChoicePanel } from '#components/ui/feedback/choice-panel.tsx';
import { confirmSecret } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { WebhookHandler } from '../actions/webhook-actions.ts';
import { useWebhookCache } from '../actions/use-webhook-cache.ts';

export type UnconfirmedSecretPanelProps = {
  webhook: Webhook;
  accountId: string;
  /** Undefined: the person may not regenerate the secret. */
  onRegenerate: WebhookHandler | undefined;
};

/** Shows that the signing secret is not confirmed, and what the person can do about it. */
export function UnconfirmedSecretPanel({
  webhook,
  accountId,
  onRegenerate,
}: UnconfirmedSecretPanelProps) {
  const { personId } = useIdentity();
  const { refetch } = useWebhookCache(accountId);
  const { unconfirmed } = webhook.secret;
  if (unconfirmed === null) return null;
  const { since, shown_to: shownTo } = unconfirmed;
  const canConfirm = onRegenerate !== undefined && shownTo.id === personId;
  return (
    <ChoicePanel
      title="Signing secret not confirmed"
      lead={
        <>
          It was shown to {shownTo.name} on <ExactTime value={since} />.{' '}
          {webhook.is_active
            ? 'Deliveries are signed with it.'
            : 'Deliveries will be signed with it once the webhook is resumed.'}
          {onRegenerate === undefined && ' Ask an owner or an admin.'}
        </>
      }
    >
      {canConfirm && (
        <ConfirmChoice
          noun="secret"
          confirm={() =>
            confirmSecret({ params: { webhook: webhook.uuid }, body: { shown_at: since } })
          }
          onStale={refetch}
        >
          Marks it as confirmed. Nothing else changes.
        </ConfirmChoice>
      )}
      {onRegenerate && <Replace webhook={webhook} onRegenerate={onRegenerate} />}
    </ChoicePanel>
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
          Show a new secret
        </Button>
      }
    >
      Regenerates the secret and shows the new one once. You choose for how long deliveries are also
      signed with the lost one.
    </Choice>
  );
}
