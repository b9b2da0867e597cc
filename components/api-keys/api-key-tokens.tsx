'use client';

import { useRef } from 'react';

import { Button } from '#components/ui/button.tsx';
import { Tag } from '#components/ui/tag.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { formatRemaining } from '#lib/time.ts';

import { apiKeyState } from './api-key-state.ts';
import { GraceMeter } from './grace-meter.tsx';
import { LastUse } from './last-use.tsx';
import { MaskedToken } from './masked-token.tsx';
import { Section } from '#components/shell/section.tsx';
import { newestTokenUse, olderTokenUse } from './token-use.ts';
import type { KeyAct } from './use-api-key-acts.ts';

type ApiKeyTokensProps = { apiKey: ApiKey; now: Date; onEndPrevious: KeyAct | undefined };

/** The tokens that work, each with its deadline and its last use. */
export function ApiKeyTokens({ apiKey, now, onEndPrevious }: ApiKeyTokensProps) {
  const state = apiKeyState(apiKey, now);
  if (state === 'revoked' || state === 'expired') {
    return (
      <Section title="Tokens">
        <p className="text-ink-2">
          None works any longer. The last one was <MaskedToken lastFour={apiKey.last_four} />.
        </p>
      </Section>
    );
  }
  return (
    <Section title={state === 'rotating' ? 'Tokens' : 'Token'}>
      <ul className="divide-y divide-line rounded-3 border border-line-strong">
        <NewestToken apiKey={apiKey} hasOlder={state === 'rotating'} />
        {state === 'rotating' && apiKey.previous_token && (
          <OlderToken
            apiKey={apiKey}
            older={apiKey.previous_token}
            now={now}
            onEndPrevious={onEndPrevious}
          />
        )}
      </ul>
    </Section>
  );
}

function NewestToken({ apiKey, hasOlder }: { apiKey: ApiKey; hasOlder: boolean }) {
  const use = newestTokenUse(apiKey);
  return (
    <li className={ITEM}>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex min-h-5 flex-wrap items-center gap-x-2.5 gap-y-1">
          <MaskedToken lastFour={apiKey.last_four} />
          {hasOlder && <Tag mono={false}>Newest</Tag>}
        </p>
        <p className={LINE}>
          {apiKey.expires_at === null ? (
            'Works until it is replaced or the key is revoked.'
          ) : (
            <>
              Works until the key expires, <ExactTime value={apiKey.expires_at} />.
            </>
          )}
        </p>
        <p className={LINE}>
          {use === undefined ? (
            'Not used since the older one’s last use.'
          ) : (
            <>
              Last used: <LastUse {...use} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}

type OlderTokenProps = {
  apiKey: ApiKey;
  older: NonNullable<ApiKey['previous_token']>;
  now: Date;
  onEndPrevious: KeyAct | undefined;
};

function OlderToken({ apiKey, older, now, onEndPrevious }: OlderTokenProps) {
  const end = useRef<HTMLButtonElement>(null);
  return (
    <li className={ITEM}>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex min-h-5 flex-wrap items-center gap-x-2.5 gap-y-1">
          <MaskedToken lastFour={older.last_four} />
          <Tag mono={false}>Older</Tag>
        </p>
        <p className={LINE}>
          Works until{' '}
          <strong className="font-medium text-ink">
            <ExactTime value={older.valid_until} />
          </strong>
          , {formatRemaining(new Date(older.valid_until), now)} from now.
        </p>
        <GraceMeter older={older} now={now} className="my-1.5" />
        <p className={LINE}>
          Replaced <ExactTime value={older.replaced_at} />. Last used:{' '}
          <LastUse {...olderTokenUse(apiKey)} />
        </p>
      </div>
      {onEndPrevious && (
        <Button
          ref={end}
          className="max-sm:w-full"
          onClick={() => onEndPrevious(apiKey, end.current)}
        >
          End now<span className="sr-only">: token …{older.last_four}</span>
        </Button>
      )}
    </li>
  );
}

const ITEM = 'flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3.5 max-sm:px-3.5';
const LINE = 'text-small text-pretty text-ink-3';
