import { Ban, CirclePause, ClockAlert, RotateCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { apiKeyState, isExpiringSoon } from '#components/shell/states/api-key-state.ts';
import {
  lastToExpire,
  olderTokens,
  type OlderToken,
} from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { formatRemaining } from '#lib/time.ts';
import type { KeyHandler } from '../actions/use-api-key-actions.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import { getOlderTokenUse } from '../token-last-use.ts';

type ApiKeyBannerProps = ExpiringProps & { onResume: KeyHandler | undefined };

/** Banners about the state of a key; nothing if it is active, or rotating and unconfirmed. */
export function ApiKeyBanner({ onResume, ...props }: ApiKeyBannerProps): ReactNode {
  const { apiKey, now } = props;
  const state = apiKeyState(apiKey, now);
  if (state === 'revoked') return <Revoked apiKey={apiKey} />;
  if (state === 'expired') return <Expired apiKey={apiKey} />;
  // The panel of an unconfirmed token says what becomes of the older ones.
  const older = state === 'unconfirmed' ? [] : olderTokens(apiKey, now);
  const isExpiring = isExpiringSoon(apiKey, now);
  const isPaused = state === 'paused';
  if (older.length === 0 && !isExpiring && !isPaused) return null;
  return (
    <div className="grid gap-3">
      {isPaused && <Paused apiKey={apiKey} onResume={onResume} />}
      <Rotating apiKey={apiKey} older={older} now={now} />
      {isExpiring && <Expiring {...props} />}
    </div>
  );
}

type PausedProps = { apiKey: ApiKey; onResume: KeyHandler | undefined };

function Paused({ apiKey, onResume }: PausedProps) {
  const resume = useRef<HTMLButtonElement>(null);
  return (
    <Banner
      role="none"
      icon={<CirclePause />}
      title={
        <>
          Paused{' '}
          {apiKey.paused_at !== null && (
            <>
              since <ExactTime value={apiKey.paused_at} />
            </>
          )}
          {apiKey.paused_by && `, by ${apiKey.paused_by.name}`}
        </>
      }
      action={
        onResume && (
          <Button ref={resume} onClick={() => onResume(apiKey, resume.current)}>
            Resume
          </Button>
        )
      }
    >
      Calls with this key are rejected with 401, and listed under Usage. Its tokens, settings and
      end dates do not change.
    </Banner>
  );
}

type RotatingProps = {
  apiKey: ApiKey;
  older: readonly OlderToken[];
  now: Date;
};

function Rotating({ apiKey, older, now }: RotatingProps) {
  const last = lastToExpire(older);
  if (last === undefined) return null;
  const [newest] = apiKey.tokens;
  const use = getOlderTokenUse(older, { newest, now });
  const isOnly = older.length === 1;
  return (
    <Banner
      role="none"
      tone={use.kind === 'used' ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={
        <>
          Rotating:{' '}
          {isOnly ? 'the old token works' : `${older.length} old tokens still work, the last one`}{' '}
          until <ExactTime value={last.valid_until} />
        </>
      }
    >
      {use.kind === 'used' && (
        <>
          <Short token={use.token} /> was used{' '}
          <RelativeTime isMidSentence value={use.token.last_used_at} />, after it was replaced.{' '}
          Switch to the new token by <ExactTime value={use.token.valid_until} />.
        </>
      )}
      {use.kind === 'watching' && (
        <>Watching for calls with {isOnly ? <Short token={last} /> : 'the old tokens'}.</>
      )}
      {use.kind === 'new_unused' && (
        <>
          No successful call has been made with {isOnly ? <Short token={last} /> : 'any of them'}{' '}
          since {isOnly ? 'it was' : 'they were'} replaced, and none with the new token,{' '}
          <Short token={apiKey} />.
        </>
      )}
      {use.kind === 'unused' && (
        <>
          No successful call has been made with {isOnly ? <Short token={last} /> : 'any of them'}{' '}
          since {isOnly ? 'it was' : 'they were'} replaced.
        </>
      )}
    </Banner>
  );
}

function Short({ token }: { token: { last_four: string } }) {
  return <MaskedToken lastFour={token.last_four} form="short" />;
}

type ExpiringProps = {
  apiKey: ApiKey;
  now: Date;
  mayEdit: boolean;
  onNotifyOwners: KeyHandler | undefined;
};

function Expiring({ apiKey, now, mayEdit, onNotifyOwners }: ExpiringProps) {
  const notify = useRef<HTMLButtonElement>(null);
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
      action={
        mayEdit ? (
          <ButtonLink href={`${apiKeyPath(apiKey)}/edit`}>Change expiry</ButtonLink>
        ) : (
          onNotifyOwners && (
            <Button ref={notify} onClick={() => onNotifyOwners(apiKey, notify.current)}>
              Notify owners
            </Button>
          )
        )
      }
    >
      After that, calls with this key are rejected with 401. Rotating the key does not change this.
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
      Calls with this key are rejected with 401. It can no longer be rotated or changed; create a
      new key instead.
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
      Calls with this key are rejected with 401.
    </Banner>
  );
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
