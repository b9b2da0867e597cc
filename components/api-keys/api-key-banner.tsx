'use client';

import { Ban, ClockAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { Banner } from '#components/ui/banner.tsx';
import { ButtonLink } from '#components/ui/button.tsx';
import { ExactTime, RelativeTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { formatRemaining } from '#lib/time.ts';

import { apiKeyPath } from './api-key-path.ts';
import { apiKeyState, isExpiringSoon } from './api-key-state.ts';
import { MaskedToken } from './masked-token.tsx';
import { isOlderTokenInUse } from './token-use.ts';

type ApiKeyBannerProps = { apiKey: ApiKey; now: Date; mayEdit: boolean; mayEnd: boolean };

/** What is going on with a key; nothing for one that is simply well. */
export function ApiKeyBanner({ apiKey, now, mayEdit, mayEnd }: ApiKeyBannerProps): ReactNode {
  const state = apiKeyState(apiKey, now);
  if (state === 'revoked') return <Revoked apiKey={apiKey} />;
  if (state === 'expired') return <Expired apiKey={apiKey} />;
  const isRotating = state === 'rotating' && apiKey.previous_token !== null;
  const isExpiring = isExpiringSoon(apiKey, now);
  if (!isRotating && !isExpiring) return null;
  return (
    <div className="grid gap-3">
      {isRotating && <Rotating apiKey={apiKey} older={apiKey.previous_token} mayEnd={mayEnd} />}
      {isExpiring && <Expiring apiKey={apiKey} now={now} mayEdit={mayEdit} />}
    </div>
  );
}

type RotatingProps = { apiKey: ApiKey; older: ApiKey['previous_token']; mayEnd: boolean };

function Rotating({ apiKey, older, mayEnd }: RotatingProps) {
  if (older === null) return null;
  const isInUse = isOlderTokenInUse(apiKey);
  return (
    <Banner
      role="none"
      tone={isInUse ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={
        <>
          Rotating: the old token works until <ExactTime value={older.valid_until} />
        </>
      }
    >
      {older.last_used_at !== null && isInUse ? (
        <>
          <MaskedToken lastFour={older.last_four} form="short" /> was used{' '}
          <RelativeTime isMidSentence value={older.last_used_at} />, after it was replaced. Put the
          new token there before then.
        </>
      ) : (
        <>
          Nothing has called with <MaskedToken lastFour={older.last_four} form="short" /> since it
          was replaced.{mayEnd && ' If every place has the new token, end the old one now.'}
        </>
      )}
    </Banner>
  );
}

type ExpiringProps = { apiKey: ApiKey; now: Date; mayEdit: boolean };

function Expiring({ apiKey, now, mayEdit }: ExpiringProps) {
  if (apiKey.expires_at === null) return null;
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<ClockAlert />}
      title={
        <>
          Expires in {formatRemaining(new Date(apiKey.expires_at), now)}, on{' '}
          <ExactTime value={apiKey.expires_at} />
        </>
      }
      action={mayEdit && <ButtonLink href={`${apiKeyPath(apiKey)}/edit`}>Change expiry</ButtonLink>}
    >
      From then on its calls are answered 401. A rotation does not move this.
    </Banner>
  );
}

function Expired({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Banner
      role="none"
      icon={<ClockAlert />}
      title={
        <>
          Expired{' '}
          {apiKey.expires_at !== null && (
            <>
              on <ExactTime value={apiKey.expires_at} />
            </>
          )}
        </>
      }
    >
      Its calls are answered 401. It can’t be rotated or changed any longer; create a key in its
      place.
    </Banner>
  );
}

function Revoked({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Banner
      role="none"
      icon={<Ban />}
      title={
        <>
          Revoked{' '}
          {apiKey.revoked_at !== null && (
            <>
              on <ExactTime value={apiKey.revoked_at} />
            </>
          )}
          {apiKey.revoked_by && ` by ${apiKey.revoked_by.name}`}
        </>
      }
    >
      {apiKey.revoked_reason === null
        ? 'No reason was given.'
        : `Reason: ${withFullStop(apiKey.revoked_reason)}`}{' '}
      Its calls are answered 401, for good.
    </Banner>
  );
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
