// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { GracePeriodMeter } from '#components/shell/grace-period/grace-period-meter.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { VerifySignature } from '#components/webhooks/secret/verify-signature.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { formatRemaining } from '#lib/time.ts';
import type { OlderSecretOfWebhook, WebhookActions } from '../actions/webhook-actions.ts';
import { signatureDoctorPath } from '../webhook-path.ts';

type WebhookSecretProps = { webhook: Webhook; now: Date; actions: WebhookActions };

/** The dates and last four characters of a webhook's secrets, and code to verify signatures. */
export function WebhookSecret({ webhook, now, actions }: WebhookSecretProps) {
  // Closed if something was sent already, because the receiver then has its verification.
  const [isOpen, setIsOpen] = useState(webhook.last_triggered_at === null);
  const codeId = useId();
  const regenerate = useRef<HTMLButtonElement>(null);
  const { onRegenerate, onAskForSecret } = actions;
  return (
    <Section title="Signing secret">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-3 border border-line-strong px-4 py-3.5 max-sm:px-3.5">
        <div className="min-w-0 flex-1 basis-64">
          <SecretFacts webhook={webhook} now={now} onEndSecret={actions.onEndSecret} />
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button
            variant="ghost"
            icon={<ChevronDown className={isOpen ? 'rotate-180' : undefined} />}
            aria-expanded={isOpen}
            aria-controls={codeId}
            className="aria-expanded:bg-transparent aria-expanded:text-ink-2 hover:aria-expanded:bg-fill-hover"
            onClick={() => setIsOpen(!isOpen)}
          >
            Verify a signature
          </Button>
          <ButtonLink href={signatureDoctorPath(webhook)}>Signature doctor</ButtonLink>
          {onRegenerate && webhook.status !== 'pending_setup' && (
            <Button ref={regenerate} onClick={() => onRegenerate(webhook, regenerate.current)}>
              {webhook.secret.was_shown ? 'Regenerate secret' : 'Generate secret'}
            </Button>
          )}
          {onAskForSecret && webhook.status !== 'pending_setup' && (
            <Button ref={regenerate} onClick={() => onAskForSecret(webhook, regenerate.current)}>
              Ask for a new secret
            </Button>
          )}
        </div>
      </div>
      <div id={codeId} hidden={!isOpen}>
        <VerifySignature url={webhook.url} />
      </div>
    </Section>
  );
}

type SecretFactsProps = Pick<WebhookSecretProps, 'webhook' | 'now'> & {
  onEndSecret: WebhookActions['onEndSecret'];
};

function SecretFacts({ webhook, now, onEndSecret }: SecretFactsProps) {
  const { created_at: made, was_shown: wasShown, older } = webhook.secret;
  const isUnsaved =
    wasShown && (webhook.status === 'pending_setup' || webhook.secret.unconfirmed !== null);
  return (
    <>
      <p translate="no" className="code leading-5 wrap-anywhere">
        whsec_
        <span aria-hidden className="text-ink-3">
          ••••••••••••••••
        </span>
        {webhook.secret.last_four}
      </p>
      <p className={line}>
        Created <ExactTime value={made} />
        {wasShown ? '.' : ', and never shown to anyone.'}
        {isUnsaved && ' It was not confirmed as saved.'}
      </p>
      {older.map(
        (secret, index) =>
          Date.parse(secret.valid_until) > now.getTime() && (
            <OlderSecret
              key={secret.uuid}
              webhook={webhook}
              secret={secret}
              replacedAt={older[index - 1]?.created_at ?? made}
              now={now}
              onEndSecret={onEndSecret}
            />
          ),
      )}
    </>
  );
}

type OlderSecretProps = SecretFactsProps & {
  secret: OlderSecretOfWebhook;
  /** When the next secret was created. */
  replacedAt: string;
};

function OlderSecret({ webhook, secret, replacedAt, now, onEndSecret }: OlderSecretProps) {
  const end = useRef<HTMLButtonElement>(null);
  const { valid_until: until, last_four: lastFour } = secret;
  return (
    <div className="mt-3 flex flex-wrap items-end gap-x-4 gap-y-2 border-t border-line pt-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className={line}>
          The old secret <Code isSmall>whsec_…{lastFour}</Code> also signs until{' '}
          <strong className="font-medium text-ink">
            <ExactTime value={until} />
          </strong>
          , {formatRemaining(new Date(until), now)} from now.
        </p>
        <GracePeriodMeter
          of="old secret"
          from={replacedAt}
          to={until}
          now={now}
          className="mt-1.5"
        />
      </div>
      {onEndSecret && (
        <Button ref={end} size="small" onClick={() => onEndSecret(webhook, end.current, secret)}>
          End now<span className="sr-only">: secret …{lastFour}</span>
        </Button>
      )}
    </div>
  );
}

const line = 'text-small text-pretty text-ink-3';
