import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { secretEnvName } from '#lib/contract/webhooks/signature-snippets.ts';
import { VerifySignature } from '#components/webhooks/secret/verify-signature.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { confirmSecret } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

type NewSecretDialogProps = {
  webhook: Pick<Webhook, 'uuid' | 'name' | 'url'>;
  secret: string;
  note?: ReactNode;
  closeWarning: ReactNode;
  onClosed: (isSaved: boolean) => void;
  finalFocus?: FocusTarget;
};

/** Shows a new signing secret once, with code that verifies signatures. */
export function NewSecretDialog({ webhook, secret, ...rest }: NewSecretDialogProps) {
  return (
    <OneTimeSecret
      kind="signing secret"
      subject={webhook.name}
      value={secret}
      envName={secretEnvName}
      sentence="It is shown only once. If you lose it, generate another."
      confirm={() =>
        confirmSecret({ params: { webhook: webhook.uuid }, body: { last_four: secret.slice(-4) } })
      }
      {...rest}
    >
      <HowToCheck url={webhook.url} />
    </OneTimeSecret>
  );
}

/** Open on high screens only: on a low one it would push Done out of sight. */
function HowToCheck({ url }: { url: string }) {
  const [isTallWindow] = useState(() => window.innerHeight >= tallWindowPx);
  return (
    <details open={isTallWindow} className="group/check">
      <summary className="-mx-1 flex w-fit cursor-default list-none items-center gap-1 rounded-2 px-1 py-0.5 text-small font-medium text-ink-2 hover:text-ink pointer-coarse:py-3 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="icon-14 text-ink-3 transition-transform group-open/check:rotate-90"
        />
        How your server verifies signatures
      </summary>
      {/* The snippet's own heading would repeat the summary. */}
      <div className="mt-2.5 [&>div>p:first-child]:hidden">
        <VerifySignature url={url} />
      </div>
    </details>
  );
}

const tallWindowPx = 760;
