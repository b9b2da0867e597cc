'use client';

import { useRef, useState, useTransition } from 'react';

import { cancelDisabledReason } from '#components/shell/actions/cancel-disabled-reason.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { useActionFailure } from '#components/shell/actions/use-action-failure.ts';
import { useIdempotentAction } from '#components/shell/actions/use-idempotent-action.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import {
  type ActionFailure,
  isOutcomeUnknown,
  isRepeatRefused,
} from '#lib/actions/action-result.ts';
import { regenerateWebhookSecret } from '#lib/actions/webhooks.ts';
import type { RegenerateSecretInput, Webhook } from '#lib/contract/webhooks.ts';
import { formatApiTime } from '#lib/time.ts';

import { WholeAddress } from '../address.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

type RegenerateSecretProps = {
  webhook: Webhook;
  finalFocus: FocusTarget;
  /** Called when the dialog is closed. `isStale`: the webhook must be read again. */
  onClosed: (isStale: boolean) => void;
};

type GeneratedSecret = { secret: string; message: string };

/**
 * The dialog to regenerate a signing secret. It asks for the grace period, then shows the new
 * secret once.
 */
export function RegenerateSecret({ webhook, finalFocus, onClosed }: RegenerateSecretProps) {
  const [grace, setGrace] = useState<GraceChoice>('86400');
  const [generated, setGenerated] = useState<GeneratedSecret | null>(null);
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const [isPending, startTransition] = useTransition();
  const cancel = useRef<HTMLButtonElement>(null);
  const runIdempotently = useIdempotentAction<RegenerateSecretInput>();
  const isFirst = !webhook.secret.was_shown;
  const title = isFirst ? 'Generate secret' : 'Regenerate secret';

  function regenerate() {
    setFailure(null);
    startTransition(async () => {
      const result = await runIdempotently({
        values: grace,
        // Nobody uses a secret that was never shown, so it needs no grace period.
        makeInput: () => ({ grace_period_seconds: isFirst ? 0 : Number(grace) }),
        send: ({ input, idempotencyKey }) =>
          regenerateWebhookSecret(webhook.uuid, input, idempotencyKey),
      });
      if (result.ok) setGenerated({ secret: result.secret, message: result.message });
      else handleFailure(result);
    });
  }

  if (generated) {
    const rest = <ServiceText text={withoutFirstSentence(generated)} />;
    return (
      <NewSecretDialog
        webhook={webhook}
        secret={generated.secret}
        note={rest}
        closeWarning={isFirst ? 'Generate another then.' : rest}
        onClosed={() => onClosed(true)}
        finalFocus={finalFocus}
      />
    );
  }
  return (
    <Dialog
      open
      onClose={() => onClosed(failure !== null)}
      isLocked={isPending}
      title={`${title} of ${webhook.name}`}
      sentence={
        isFirst
          ? 'Makes a new signing secret and shows it once. It replaces the current one, which was never shown.'
          : 'Makes a new signing secret. Everything else about the webhook stays.'
      }
      initialFocus={cancel}
      finalFocus={finalFocus}
      footer={
        <>
          <Button
            ref={cancel}
            onClick={() => onClosed(failure !== null)}
            disabledReason={cancelDisabledReason(isPending)}
          >
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={isPending}
            disabledReason={rateLimitReason(secondsLeft)}
            onClick={regenerate}
          >
            {title}
          </Button>
        </>
      }
    >
      <Facts facts={factsOf(webhook)} />
      {!isFirst && (
        <Segmented
          legend="The old secret ends"
          segments={GRACE_CHOICES}
          value={grace}
          onChange={setGrace}
          help={<Consequence grace={grace} webhook={webhook} />}
        />
      )}
      <RateLimitNotice deadline={deadline} />
      {failure && <RegenerationFailure failure={failure} isFirst={isFirst} button={title} />}
    </Dialog>
  );
}

type RegenerationFailureProps = { failure: ActionFailure; isFirst: boolean; button: string };

function RegenerationFailure({ failure, isFirst, button }: RegenerationFailureProps) {
  const { requestId } = failure;
  if (isRepeatRefused(failure)) {
    return (
      <ErrorPanel
        title="A new secret was made already"
        message={`An earlier attempt made it, but it can no longer be shown: deliveries are signed with it, it was replaced, or 10 minutes have passed. Press “${button}” again to make another.`}
        requestId={requestId}
      />
    );
  }
  if (isOutcomeUnknown(failure)) {
    return (
      <ErrorPanel
        title="It is unknown whether a new secret was made"
        message={`${failure.message} If one was made, nobody has it${isFirst ? '' : ', and the old one ends when you chose'}. Press “${button}” again to get one.`}
        requestId={requestId}
      />
    );
  }
  return (
    <ErrorPanel title="No new secret was made" message={failure.message} requestId={requestId} />
  );
}

const GRACE_CHOICES = [
  { value: '0', label: 'Now' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 24 hours' },
  { value: '604800', label: 'In 7 days' },
] as const;

type GraceChoice = (typeof GRACE_CHOICES)[number]['value'];

function factsOf({ url, secret, last_triggered_at: triggered }: Webhook): Fact[] {
  const facts: Fact[] = [{ label: 'Address', value: <WholeAddress url={url} /> }];
  if (secret.created_at !== null && secret.was_shown) {
    facts.push({ label: 'Secret made', value: <ExactTime value={secret.created_at} /> });
  }
  if (secret.previous_valid_until !== null) {
    facts.push({
      label: 'Previous secret',
      value: (
        <>
          also signs until <ExactTime value={secret.previous_valid_until} />
        </>
      ),
    });
  }
  facts.push({
    label: 'Last triggered',
    value: triggered === null ? 'Never' : <RelativeTime value={triggered} />,
  });
  return facts;
}

function Consequence({ grace, webhook }: { grace: GraceChoice; webhook: Webhook }) {
  const now = useNow();
  if (grace === '0') {
    return (
      <>
        Only the new secret signs.{' '}
        {webhook.secret.previous_valid_until !== null && 'The older one ends as well. '}
        A server that still checks with the old one refuses what it is sent, so choose this if the
        old one has leaked.
      </>
    );
  }
  if (now === null) return null;
  const end = formatApiTime(new Date(now.getTime() + Number(grace) * 1000));
  return (
    <>
      Until{' '}
      <strong className="font-medium text-ink">
        <ExactTime value={end} />
      </strong>{' '}
      both secrets sign, so your server may check with either. Then the old one ends.
    </>
  );
}

/** The service's message without its first sentence, which the dialog has in other words. */
function withoutFirstSentence({ message }: GeneratedSecret): string {
  return message.replace(/^Save this secret now; it will not be shown again\. /, '');
}
