import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { GracePeriodMeter } from '#components/shell/grace-period/grace-period-meter.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Tag } from '#components/ui/data-display/tag.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { TokenUse } from '#lib/contract/api-keys/token-use.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { formatRemaining } from '#lib/time.ts';
import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { EndingVerdictText, LastCallers, TokenHours } from '../rotation/ending-verdict.tsx';
import { tokenLastUse } from '../token-last-use.ts';
import { Status } from '#components/ui/data-display/status.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';
import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import { unconfirmedToken } from '../unconfirmed-token.ts';
import type { TokenHandler } from '../actions/use-api-key-actions.ts';

type ApiKeyTokensProps = {
  accountId: string;
  apiKey: ApiKey;
  now: Date;
  isDialogOpen: boolean;
  onEndToken: TokenHandler | undefined;
  onExtendToken: TokenHandler | undefined;
};

/** The valid tokens of a key, each with its end and, if there are several, its last use. */
export function ApiKeyTokens({
  accountId,
  apiKey,
  now,
  isDialogOpen,
  onEndToken,
  onExtendToken,
}: ApiKeyTokensProps) {
  const { data: uses = [] } = useQuery({
    ...routeQuery(accountId, 'listTokenUse', { params: { apiKey: apiKey.uuid } }),
    ...pageRefetchOptions({ isDialogOpen }),
    enabled: apiKey.tokens.length > 1,
  });
  if (isEndedState(apiKeyState(apiKey, now))) {
    return (
      <Section title="Tokens">
        <p className="text-ink-2">
          No active tokens. The last one was <MaskedToken lastFour={apiKey.last_four} />.
        </p>
      </Section>
    );
  }
  const older = olderTokens(apiKey, now);
  return (
    <Section title={older.length > 0 ? 'Tokens' : 'Token'}>
      <ul className="divide-y divide-line rounded-3 border border-line-strong">
        <NewestToken
          apiKey={apiKey}
          hasOlder={older.length > 0}
          use={older.length > 0 ? uses[0] : undefined}
        />
        {older.map((token) => (
          <OlderTokenItem
            key={token.id}
            apiKey={apiKey}
            token={token}
            use={uses.find(({ id }) => id === token.id)}
            now={now}
            onEndToken={onEndToken}
            onExtendToken={onExtendToken}
          />
        ))}
      </ul>
    </Section>
  );
}

type NewestTokenProps = { apiKey: ApiKey; hasOlder: boolean; use: TokenUse | undefined };

function NewestToken({ apiKey, hasOlder, use }: NewestTokenProps) {
  const [newest] = apiKey.tokens;
  return (
    <li className={item}>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex min-h-5 flex-wrap items-center gap-x-2.5 gap-y-1">
          <MaskedToken lastFour={apiKey.last_four} />
          {hasOlder && <Tag mono={false}>Newest</Tag>}
          {unconfirmedToken(apiKey) && <Status mark="warning">Unconfirmed</Status>}
        </p>
        {/* Without older tokens, the details of the key say when it ends and when it was used. */}
        {hasOlder ? (
          <>
            <p className={line}>
              {apiKey.expires_at === null ? (
                'Has no end date.'
              ) : (
                <>
                  Works until the key expires on <ExactTime value={apiKey.expires_at} />.
                </>
              )}
            </p>
            {newest && (
              <p className={line}>
                Last used: <LastUse {...tokenLastUse(newest)} />
              </p>
            )}
          </>
        ) : (
          newest && (
            <p className={line}>
              {apiKey.rotated_at === null ? (
                'Created with the key, which was never rotated.'
              ) : (
                <>
                  Created <ExactTime value={newest.created_at} /> by {newest.created_by.name}, when
                  the key was rotated.
                </>
              )}
            </p>
          )
        )}
      </div>
      {use && <TokenHours use={use} isNewest />}
    </li>
  );
}

type OlderTokenItemProps = {
  apiKey: ApiKey;
  token: OlderToken;
  /** Undefined until it is read. */
  use: TokenUse | undefined;
  now: Date;
  onEndToken: TokenHandler | undefined;
  onExtendToken: TokenHandler | undefined;
};

function OlderTokenItem({
  apiKey,
  token,
  use,
  now,
  onEndToken,
  onExtendToken,
}: OlderTokenItemProps) {
  const end = useRef<HTMLButtonElement>(null);
  const extend = useRef<HTMLButtonElement>(null);
  return (
    <li className={item}>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex min-h-5 flex-wrap items-center gap-x-2.5 gap-y-1">
          <MaskedToken lastFour={token.last_four} />
          <Tag mono={false}>Older</Tag>
        </p>
        <p className={line}>
          Works until{' '}
          <strong className="font-medium text-ink">
            <ExactTime value={token.valid_until} />
          </strong>
          , {formatRemaining(new Date(token.valid_until), now)} from now.
        </p>
        <GracePeriodMeter
          of="old token"
          from={token.replaced_at}
          to={token.valid_until}
          now={now}
          className="my-1.5"
        />
        <p className={line}>
          Replaced <ExactTime value={token.replaced_at} />. Last used:{' '}
          <LastUse {...tokenLastUse(token)} />
        </p>
      </div>
      {use && <TokenHours use={use} isNewest={false} />}
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        {onExtendToken && use?.extendable_until && (
          <Button ref={extend} onClick={() => onExtendToken(apiKey, token, extend.current)}>
            Extend<span className="sr-only">: token …{token.last_four}</span>
          </Button>
        )}
        {onEndToken && (
          <Button
            ref={end}
            variant={use?.verdict === 'safe_to_end' ? 'primary' : 'secondary'}
            onClick={() => onEndToken(apiKey, token, end.current)}
          >
            End now<span className="sr-only">: token …{token.last_four}</span>
          </Button>
        )}
      </div>
      {use && (
        <div className="grid w-full gap-3">
          <EndingVerdictText use={use} />
          <LastCallers use={use} />
        </div>
      )}
    </li>
  );
}

const item = 'flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3.5 max-sm:px-3.5';
const line = 'text-small text-pretty text-ink-3';
