import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

/**
 * In the dialog that regenerates a signing secret: says that nobody confirmed having the current
 * one.
 */
export function UnconfirmedSecretNote({ webhook }: { webhook: Webhook }) {
  const { unconfirmed } = webhook.secret;
  if (unconfirmed === null) return null;
  return (
    <Banner role="none" tone="warn" title="Nobody confirmed having the current secret">
      It was shown to {unconfirmed.shown_to.name} on <ExactTime value={unconfirmed.since} />.
    </Banner>
  );
}
