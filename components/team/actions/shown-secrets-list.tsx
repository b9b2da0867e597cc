import { KeyRound, RotateCw, Webhook } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { adviseOnShownSecrets, summarizeShownSecrets } from './summarize-shown-secrets.ts';

type ShownSecretsListProps = {
  shown: ShownSecrets;
  name: string;
};

/** Tokens and signing secrets that a member knows, each with a link to replace it in a new tab. */
export function ShownSecretsList({ shown, name }: ShownSecretsListProps) {
  const titleId = useId();
  const summary = summarizeShownSecrets(shown, name);
  if (summary === null) {
    return (
      <p className="text-ink-2">
        {name} has not been shown any token or signing secret that still works.
      </p>
    );
  }
  return (
    <>
      <p id={titleId} className="font-medium text-pretty wrap-anywhere">
        {summary}
      </p>
      <p className="mt-0.5 text-small text-pretty text-ink-2">
        {adviseOnShownSecrets(shown, name)}
      </p>
      <ul
        aria-labelledby={titleId}
        className="mt-3 max-h-75 divide-y divide-line overflow-y-auto rounded-3 border border-line-strong"
      >
        {shown.tokens.map(({ api_key: apiKey, ...token }) => (
          <ShownItem
            key={`${apiKey.uuid} ${token.last_four}`}
            icon={<KeyRound />}
            name={apiKey.name}
            href={`settings/api-keys/${apiKey.uuid}?act=rotate`}
            verb="Rotate"
          >
            <Code isSmall className="whitespace-nowrap">
              sk_live_…{token.last_four}
            </Code>
            {token.through !== null && ` · returned to the key ${token.through}`}
            {' · '}
            {token.last_used_at === null ? (
              'no successful call'
            ) : (
              <>
                used <RelativeTime isMidSentence value={token.last_used_at} />
              </>
            )}
            <Deadline value={token.valid_until} />
          </ShownItem>
        ))}
        {shown.signing_secrets.map(({ webhook, ...secret }) => (
          <ShownItem
            key={`${webhook.uuid} ${secret.created_at}`}
            icon={<Webhook />}
            name={webhook.name}
            href={`settings/webhooks/${webhook.uuid}/settings?act=regenerate`}
            verb="Regenerate"
          >
            Signing secret, created <ExactTime form="day" value={secret.created_at} />
            <Deadline value={secret.valid_until} />
          </ShownItem>
        ))}
      </ul>
    </>
  );
}

type ShownItemProps = {
  icon: ReactNode;
  /** The name of the key or webhook. */
  name: string;
  /** The path of its page. */
  href: string;
  verb: string;
  children: ReactNode;
};

function ShownItem({ icon, name, href, verb, children }: ShownItemProps) {
  return (
    <li className="flex items-center gap-3 py-2.5 pr-2.5 pl-3.5">
      <span aria-hidden className="text-ink-3">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-micro text-ink-3">{children}</p>
      </div>
      <ButtonLink size="small" icon={<RotateCw />} href={href} target="_blank">
        {verb}
        <span className="sr-only"> {name}, opens in a new tab</span>
      </ButtonLink>
    </li>
  );
}

/** When a token or secret that was replaced ends by itself. */
function Deadline({ value }: { value: string | null }) {
  if (value === null) return null;
  return (
    <>
      , until <ExactTime value={value} />
    </>
  );
}
