import type { ReactNode } from 'react';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { hourMs } from '#lib/durations.ts';
import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { tokenLastUse } from '../token-last-use.ts';
import type { TokenPreviews as Preview } from './use-rotation-preview.ts';

type PreviewedTokensProps = {
  apiKey: ApiKey;
  /** The valid tokens of the key, newest first. */
  tokens: readonly ApiKeyToken[];
  /** Null while it is loading, and if there is none. */
  preview: Preview | null;
  choice: number;
  now: Date;
};

/** What a rotation does to each token, oldest first, and the new token: a line and a bar each. */
export function PreviewedTokens({ apiKey, tokens, preview, choice, now }: PreviewedTokensProps) {
  return (
    <ul aria-label="Tokens after the rotation" className="grid gap-3">
      {tokens.toReversed().map((token) => {
        const fate = preview?.find(({ last_four: lastFour }) => lastFour === token.last_four);
        return (
          <TokenLine
            key={token.id}
            name={<MaskedToken lastFour={token.last_four} form="short" />}
            about={<LastUsed token={token} />}
            end={fate && <End fate={fate} choice={choice} />}
            share={fate === undefined ? 0 : shareOf(fate.valid_until, now)}
          />
        );
      })}
      <TokenLine
        isNew
        name={<span className="font-medium text-ink">New token</span>}
        about="Shown once, in the next step"
        end={apiKey.expires_at === null ? 'No end' : <Until end={apiKey.expires_at} />}
        share={1}
      />
    </ul>
  );
}

type TokenLineProps = {
  name: ReactNode;
  about: ReactNode;
  /** Undefined: not known yet. */
  end: ReactNode;
  /** How much of the bar is filled, from 0 to 1. */
  share: number;
  isNew?: boolean;
};

function TokenLine({ name, about, end, share, isNew = false }: TokenLineProps) {
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        {name}
        <span className="text-small text-ink-3">{about}</span>
        <span className="ml-auto min-h-5 text-small text-ink-2">{end}</span>
      </div>
      <span
        aria-hidden
        className="mt-1 block h-1.5 rounded-full bg-fill-track forced-colors:outline"
      >
        <span
          data-mark
          className={cn(
            'block h-full rounded-full transition-[width] duration-(--slow) ease-(--ease)',
            isNew ? 'bg-accent' : 'bg-ink-3',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </li>
  );
}

function LastUsed({ token }: { token: ApiKeyToken }) {
  if (token.last_used_at === null) return 'No successful call';
  return (
    <>
      Last used <LastUse isMidSentence {...tokenLastUse(token)} />
    </>
  );
}

function End({ fate, choice }: { fate: Preview[number]; choice: number }) {
  if (fate.valid_until !== null) return <Until end={fate.valid_until} />;
  return (
    <strong className="font-medium text-warn">
      {choice === 0 ? 'Ends immediately' : 'Replaced immediately'}
    </strong>
  );
}

function Until({ end }: { end: string }) {
  return (
    <>
      Works until{' '}
      <strong className="font-medium text-ink">
        <ExactTime value={end} />
      </strong>
    </>
  );
}

const longestHours = 24 * 7;

/** Not to scale: an hour would be invisible next to a week. */
function shareOf(end: string | null, now: Date): number {
  if (end === null) return 0;
  const hours = Math.max(0, Date.parse(end) - now.getTime()) / hourMs;
  return Math.min(0.92, (0.92 * Math.log1p(hours)) / Math.log1p(longestHours));
}
