import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useSecretAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import {
  GracePeriodField,
  labelGrace,
} from '#components/shell/grace-period/grace-period-field.tsx';
import {
  type EndReason,
  endReasonOf,
  isRequestOpen,
} from '#components/shell/requests/open-requests.ts';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import {
  type ActionFailure,
  isOutcomeUnknown,
  isRepeatRefused,
} from '#lib/actions/action-result.ts';
import { regenerateWebhookSecret } from '#lib/actions/webhooks.ts';
import { defaultGraceSeconds, offerGrace } from '#lib/contract/fields/grace-period.ts';
import type { RegenerateSecretInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { formatApiTime } from '#lib/time.ts';
import { WholeUrl } from '../url.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

type RegenerateSecretProps = {
  webhook: Webhook;
  accountId: string;
  finalFocus: FocusTarget;
  /** Called when the dialog is closed. `isStale`: the webhook must be read again. */
  onClosed: (isStale: boolean) => void;
  /** Called if someone else deleted the webhook. */
  onNotFound: () => void;
};

type GeneratedSecret = { secret: string; message: string };

/** Regenerates a signing secret: asks for the grace period, then shows the new one once. */
export function RegenerateSecret({
  webhook,
  accountId,
  finalFocus,
  onClosed,
  onNotFound,
}: RegenerateSecretProps) {
  const endReason = useEndReason(webhook, accountId);
  const { choices, selected } = offerGrace({ preferred: defaultGraceSeconds, mayEndTokens: true });
  const [gracePeriod, setGracePeriod] = useState(endReason === null ? selected : 0);
  const [generated, setGenerated] = useState<GeneratedSecret | null>(null);
  const { run, ...action } = useSecretAction<RegenerateSecretInput>('signing secret');
  const isFirst = !webhook.secret.was_shown;
  const title = isFirst ? 'Generate secret' : 'Regenerate secret';
  const { failure } = action;
  // The failure said that the secret was replaced, or may have been. Anyone who tries again knows
  // it.
  const knowsOther = failure !== null && (isSecretOther(failure) || isOutcomeUnknown(failure));

  function regenerate() {
    run(
      {
        values: String(gracePeriod),
        makeInput: () =>
          knowsOther
            ? { grace_period_seconds: gracePeriod }
            : {
                // Nobody uses a secret that was never shown, so it needs no grace period.
                grace_period_seconds: isFirst ? 0 : gracePeriod,
                expected_created_at: webhook.secret.created_at,
              },
        send: ({ input: body, idempotencyKey }) =>
          regenerateWebhookSecret({ params: { webhook: webhook.uuid }, body, idempotencyKey }),
      },
      { onDone: ({ data }) => setGenerated(data), onNotFound },
    );
  }

  if (generated) {
    const rest = <ServiceText text={withoutFirstSentence(generated)} />;
    return (
      <NewSecretDialog
        webhook={webhook}
        secret={generated.secret}
        note={rest}
        closeWarning={isFirst ? 'You can generate another one.' : rest}
        onClosed={() => onClosed(true)}
        finalFocus={finalFocus}
      />
    );
  }
  return (
    <FormDialog
      title={`${title} of ${webhook.name}`}
      sentence={
        isFirst && !knowsOther
          ? 'Creates a new signing secret and shows it once. It replaces the current one, which was never shown.'
          : 'Creates a new signing secret. Everything else about the webhook stays the same.'
      }
      form={{ ...action, onConfirm: regenerate }}
      buttons={{ confirm: title }}
      failure={
        action.failure && (
          <RegenerationFailure failure={action.failure} isFirst={isFirst} button={title} />
        )
      }
      onClose={() => onClosed(action.failure !== null)}
      finalFocus={finalFocus}
    >
      <Facts facts={factsOf(webhook)} />
      <UnconfirmedSecretNote webhook={webhook} />
      {!isFirst && endReason && (
        <Note>
          <strong>“Now” is selected because {endReasons[endReason]}.</strong> Until the old secret
          ends, anyone who has it can sign deliveries that your server accepts.
        </Note>
      )}
      {!isFirst && (
        <GracePeriodField
          legend="The old secret ends"
          choices={labelGrace(choices)}
          value={gracePeriod}
          onChange={setGracePeriod}
          help={<Consequence grace={gracePeriod} webhook={webhook} />}
        />
      )}
    </FormDialog>
  );
}

/** Why the old secret should end immediately, from the open requests for a new one. */
function useEndReason(webhook: Webhook, accountId: string): EndReason | null {
  const now = useNow();
  const { data: requests = [] } = useQuery(routeQuery(accountId, 'listRotationRequests'));
  return endReasonOf(
    requests
      .filter(({ act, target }) => act === 'regenerate_secret' && target.uuid === webhook.uuid)
      .filter((request) => now === null || isRequestOpen(request, now)),
  );
}

const endReasons: Record<EndReason, string> = {
  leaked: 'the secret may have leaked',
  left: 'someone who knew the secret has left',
};

type RegenerationFailureProps = { failure: ActionFailure; isFirst: boolean; button: string };

function RegenerationFailure({ failure, isFirst, button }: RegenerationFailureProps) {
  if (isRepeatRefused(failure)) {
    return (
      <ErrorPanel
        title="A new secret was already created"
        message={`An earlier attempt created it, but it can no longer be shown: it was confirmed, deliveries are signed with it, it was replaced, or 10 minutes have passed. Press “${button}” again to create another.`}
        requestId={failure.requestId}
      />
    );
  }
  return (
    <ActionFailurePanel
      failure={failure}
      notDone="No new secret was created"
      unknown="We could not confirm whether a new secret was created"
      adviceIfUnknown={`If one was created, it was not shown to anyone${isFirst ? '' : ', and the old one ends at the time you chose'}. Press “${button}” again to get one.`}
    >
      {isSecretOther(failure) && `Press “${button}” again to replace that one.`}
    </ActionFailurePanel>
  );
}

/** Whether the newest secret is not the one that the dialog describes. */
function isSecretOther(failure: ActionFailure): boolean {
  return isRepeatRefused(failure) || failure.details?.['expected_created_at'] !== undefined;
}

function factsOf({ url, secret, last_triggered_at: triggered }: Webhook): Fact[] {
  const facts: Fact[] = [{ label: 'URL', value: <WholeUrl url={url} /> }];
  if (secret.was_shown) {
    facts.push({ label: 'Secret created', value: <ExactTime value={secret.created_at} /> });
  }
  if (secret.previous_valid_until !== null) {
    facts.push({
      label: 'Older secret',
      value: (
        <>
          Also signs until <ExactTime value={secret.previous_valid_until} />
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

function Consequence({ grace: gracePeriod, webhook }: { grace: number; webhook: Webhook }) {
  const now = useNow();
  if (gracePeriod === 0) {
    return (
      <>
        Deliveries are signed with the new secret only.{' '}
        {webhook.secret.previous_valid_until !== null && 'Older secrets end as well. '}
        A server that still verifies with the old one rejects deliveries. Choose this if the old one
        has leaked.
      </>
    );
  }
  if (now === null) return null;
  const end = new Date(now.getTime() + gracePeriod * 1000);
  return (
    <>
      Until{' '}
      <strong className="font-medium text-ink">
        <ExactTime value={formatApiTime(end)} />
      </strong>{' '}
      both secrets sign, so your server can verify with either. Then the old one ends.
      {webhook.secret.previous_valid_until !== null &&
        ' Older secrets keep their current end times.'}
    </>
  );
}

/** The service's message without its first sentence, which the dialog has in other words. */
function withoutFirstSentence({ message }: GeneratedSecret): string {
  return message.replace(/^Save this secret now; it will not be shown again\. /, '');
}

/** Says, before a secret is regenerated, that the current one was never confirmed. */
function UnconfirmedSecretNote({ webhook }: { webhook: Webhook }) {
  const { unconfirmed } = webhook.secret;
  if (unconfirmed === null) return null;
  return (
    <Banner role="none" tone="warn" title="The current secret was never confirmed">
      It was shown to {unconfirmed.shown_to.name} on <ExactTime value={unconfirmed.since} />.
    </Banner>
  );
}
