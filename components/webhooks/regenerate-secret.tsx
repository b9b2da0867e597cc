'use client';

import { useRef, useState, useTransition } from 'react';

import { ErrorPanel } from '#components/shell/error-panel.tsx';
import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import { ServiceText } from '#components/shell/service-text.tsx';
import { useRefusal } from '#components/shell/use-refusal.ts';
import { useRepeatableAct } from '#components/shell/use-repeatable-act.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/dialog.tsx';
import { type Fact, Facts } from '#components/ui/facts.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ExactTime, RelativeTime } from '#components/ui/time.tsx';
import { useNow } from '#components/ui/use-now.ts';
import {
  type ActionFailure,
  isOutcomeUnknown,
  isRepeatRefused,
} from '#lib/actions/action-result.ts';
import { regenerateWebhookSecret } from '#lib/actions/webhooks.ts';
import type { RegenerateSecretInput, Webhook } from '#lib/contract/webhooks.ts';
import { formatApiTime } from '#lib/time.ts';

import { WholeAddress } from './address.tsx';
import { NewSecret } from './new-secret.tsx';

type RegenerateSecretProps = {
  webhook: Webhook;
  finalFocus: FocusTarget;
  /** Closed; `isStale` if the list no longer tells how the webhook stands. */
  onOver: (isStale: boolean) => void;
};

type Made = { secret: string; message: string };

/** Asks how long the old secret lives on, makes a new one and shows it. */
export function RegenerateSecret({ webhook, finalFocus, onOver }: RegenerateSecretProps) {
  const [grace, setGrace] = useState<Grace>('86400');
  const [made, setMade] = useState<Made | null>(null);
  const { failure, setFailure, deadline, secondsLeft, refuse } = useRefusal();
  const [isPending, startTransition] = useTransition();
  const cancel = useRef<HTMLButtonElement>(null);
  const act = useRepeatableAct<RegenerateSecretInput>();
  const isFirst = !webhook.secret.was_shown;
  const title = isFirst ? 'Generate secret' : 'Regenerate secret';

  function regenerate() {
    setFailure(null);
    startTransition(async () => {
      const result = await act({
        values: grace,
        // Nobody checks by a secret that was never shown, so there is nothing to keep alive.
        makeInput: () => ({ grace_period_seconds: isFirst ? 0 : Number(grace) }),
        send: ({ input, idempotencyKey }) =>
          regenerateWebhookSecret(webhook.uuid, input, idempotencyKey),
      });
      if (result.ok) setMade({ secret: result.secret, message: result.message });
      else refuse(result);
    });
  }

  if (made) {
    const rest = <ServiceText text={messageRest(made)} />;
    return (
      <NewSecret
        webhook={webhook}
        secret={made.secret}
        note={rest}
        ifClosed={isFirst ? 'Generate another then.' : rest}
        onClosed={() => onOver(true)}
        finalFocus={finalFocus}
      />
    );
  }
  return (
    <Dialog
      open
      onClose={() => onOver(failure !== null)}
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
            onClick={() => onOver(failure !== null)}
            refused={isPending ? 'It is under way.' : undefined}
          >
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={isPending}
            refused={waitReason(secondsLeft)}
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
          segments={GRACES}
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

const GRACES = [
  { value: '0', label: 'Now' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 24 hours' },
  { value: '604800', label: 'In 7 days' },
] as const;

type Grace = (typeof GRACES)[number]['value'];

function factsOf({ url, secret, last_triggered_at: triggered }: Webhook): Fact[] {
  const facts: Fact[] = [{ label: 'Address', value: <WholeAddress url={url} /> }];
  if (secret.created_at !== null && secret.was_shown) {
    facts.push({ label: 'Secret made', value: <ExactTime value={secret.created_at} /> });
  }
  if (secret.previous_valid_until !== null) {
    facts.push({
      label: 'An older one',
      value: (
        <>
          signs too, until <ExactTime value={secret.previous_valid_until} />
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

function Consequence({ grace, webhook }: { grace: Grace; webhook: Webhook }) {
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

/** The service's message without its first sentence, which the dialog says in its own words. */
function messageRest({ message }: Made): string {
  return message.replace(/^Save this secret now; it will not be shown again\. /, '');
}
