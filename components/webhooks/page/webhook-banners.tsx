// Every page renders few of these and rarely again: compiled, the file would only be larger.
'use no memo';

import { KeyRound, RotateCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { formatRemaining } from '#lib/time.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { WebhookActions } from '../actions/webhook-actions.ts';
import { type SecretWarning, secretWarnings } from '../secret-warnings.ts';
import { StatePanel } from './state/state-panel.tsx';
import type { UnconfirmedSecretPanelProps } from './unconfirmed-secret-panel.tsx';

type WebhookBannersProps = {
  webhook: Webhook;
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  rights: MemberRights;
  now: Date;
  actions: WebhookActions;
  isBusy: boolean;
};

/** How an active webhook is doing, and a banner for each condition of its secret. */
export function WebhookBanners(props: WebhookBannersProps): ReactNode {
  const { webhook, now } = props;
  const conditions = secretWarnings(webhook, now);
  if (conditions.length === 0 && !webhook.is_active) return null;
  const bannersOf = (shown: readonly SecretWarning[]) =>
    shown.map((condition) => {
      const ConditionBanner = banners[condition];
      return <ConditionBanner key={condition} {...props} />;
    });
  return (
    <div className="grid gap-3">
      {/* First, as it asks for an action: without the secret, the receiver can verify nothing. */}
      {bannersOf(conditions.filter((condition) => condition !== 'old-secret-signs'))}
      {webhook.is_active && <StatePanel {...props} />}
      {bannersOf(conditions.filter((condition) => condition === 'old-secret-signs'))}
    </div>
  );
}

const banners: Record<SecretWarning, (props: WebhookBannersProps) => ReactNode> = {
  'not-shown': SecretNotShown,
  unconfirmed: ({ webhook, accountId, actions }) => (
    <UnconfirmedSecret
      webhook={webhook}
      accountId={accountId}
      onRegenerate={actions.onRegenerate}
    />
  ),
  'old-secret-signs': OldSecret,
};

function SecretNotShown({ webhook, actions, isBusy }: WebhookBannersProps) {
  const generate = useRef<HTMLButtonElement>(null);
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<KeyRound />}
      title="The signing secret was never shown"
      action={
        actions.onRegenerate && (
          <Button
            ref={generate}
            pending={isBusy}
            onClick={() => actions.onRegenerate?.(webhook, generate.current)}
          >
            Generate secret<span className="sr-only"> of {webhook.name}</span>
          </Button>
        )
      }
    >
      Deliveries are signed, but the secret was never shown to anyone, so your server cannot verify
      them.{' '}
      {actions.onRegenerate === undefined
        ? 'An owner, an admin or support staff can generate a new one.'
        : 'Generate a new one to see it.'}
    </Banner>
  );
}

function OldSecret({ webhook, now }: WebhookBannersProps) {
  const end = webhook.secret.previous_valid_until;
  if (end === null) return null;
  return (
    <Banner
      role="none"
      icon={<RotateCw />}
      title={
        <>
          The old secret signs until <ExactTime value={end} />
        </>
      }
    >
      For {formatRemaining(new Date(end), now)} more each delivery carries a signature for each
      secret, so your server can verify with either. Switch to the new one before then.
    </Banner>
  );
}

/** Shows that the signing secret is not confirmed. Loaded after the page, because few need it. */
function UnconfirmedSecret(props: UnconfirmedSecretPanelProps) {
  return <Panel shouldLoad {...props} />;
}

const Panel = lazyComponent(
  async () => (await import('./unconfirmed-secret-panel.tsx')).UnconfirmedSecretPanel,
);
