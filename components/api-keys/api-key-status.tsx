import { GracePeriodMeter } from '#components/shell/grace-period/grace-period-meter.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import {
  apiKeyState,
  apiKeyStateLabels,
  apiKeyStateMarks,
} from '#components/shell/states/api-key-state.ts';
import {
  lastToExpire,
  olderTokens,
  type OlderToken,
} from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { countOf } from '#lib/count.ts';
import { formatRemaining } from '#lib/time.ts';
import { unconfirmedToken } from './unconfirmed-token.ts';

/** A key's status in the table: label, icon, and until or since when. */
export function ApiKeyStatus({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  const state = apiKeyState(apiKey, now);
  const older = olderTokens(apiKey, now);
  const last = lastToExpire(older);
  if (state === 'unconfirmed') {
    return (
      <Status
        mark="warning"
        sub={
          <>
            <span className="max-sm:hidden">
              {unconfirmedToken(apiKey)?.unconfirmed.shown_to === null
                ? 'Token never shown'
                : 'Token not confirmed'}
            </span>
            <span className="sm:hidden">…{apiKey.last_four}, never used</span>
          </>
        }
      >
        {apiKeyStateLabels[state]}
      </Status>
    );
  }
  if (state === 'rotating' && last) {
    return <Rotating count={older.length} last={last} now={now} />;
  }
  if (state === 'expiring' && apiKey.expires_at !== null) {
    const left = formatRemaining(new Date(apiKey.expires_at), now);
    return (
      <Status mark="expiring" sub={<Deadline value={apiKey.expires_at} />}>
        Expires in {left}
      </Status>
    );
  }
  if (state === 'expired') {
    return (
      <Status mark="ended" sub={apiKey.expires_at && <Deadline value={apiKey.expires_at} />}>
        Expired
      </Status>
    );
  }
  if (state === 'paused') return <Paused apiKey={apiKey} />;
  if (state === 'revoked') return <Revoked apiKey={apiKey} />;
  return <Status mark="ok">Active</Status>;
}

/** A key's status as icon and label alone. Other parts of the page give the details. */
export function ApiKeyStatusLabel({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  const state = apiKeyState(apiKey, now);
  return <Status mark={apiKeyStateMarks[state]}>{apiKeyStateLabels[state]}</Status>;
}

type RotatingProps = {
  /** How many older tokens still work. */
  count: number;
  /** The one that expires last. */
  last: OlderToken;
  now: Date;
};

function Rotating({ count, last, now }: RotatingProps) {
  const validUntil = last.valid_until;
  return (
    <>
      <Status
        mark="rotating"
        sub={
          <>
            <span className="whitespace-nowrap max-sm:hidden">
              {count === 1 ? 'Old token' : countOf(count, 'old token')} until{' '}
              <ExactTime form="short" value={validUntil} />
            </span>
            <span className="sm:hidden">{formatRemaining(new Date(validUntil), now)} left</span>
          </>
        }
      >
        Rotating
      </Status>
      <GracePeriodMeter
        of="old token"
        from={last.replaced_at}
        to={validUntil}
        now={now}
        className="mt-1.5 ml-[21px] max-sm:hidden"
      />
    </>
  );
}

function Paused({ apiKey: { paused_at: at, paused_by: by } }: { apiKey: ApiKey }) {
  return (
    <Status
      mark="paused"
      sub={
        at && (
          <>
            Since <ExactTime form="day" value={at} />
            {by && <span className="max-sm:hidden">, by {by.name}</span>}
          </>
        )
      }
    >
      Paused
    </Status>
  );
}

function Revoked({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Status
      mark="ended"
      sub={
        apiKey.revoked_at && (
          <span className="wrap-anywhere sm:line-clamp-2">
            <ExactTime form="day" value={apiKey.revoked_at} />
            {apiKey.revoked_by && (
              <span className="max-sm:hidden">, by {apiKey.revoked_by.name}</span>
            )}
            {apiKey.revoked_reason !== null && (
              <span className="max-sm:hidden">: {apiKey.revoked_reason}</span>
            )}
          </span>
        )
      }
    >
      Revoked
    </Status>
  );
}

/** Shows time and zone on wide screens, the day alone on narrow ones. */
function Deadline({ value }: { value: string }) {
  return (
    <>
      <ExactTime value={value} className="max-sm:hidden" />
      <ExactTime form="day" value={value} className="sm:hidden" />
    </>
  );
}
