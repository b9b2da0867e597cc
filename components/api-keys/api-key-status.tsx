import { Meter } from '#components/ui/meter.tsx';
import { Status } from '#components/ui/status.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { formatDuration, formatRemaining } from '#lib/time.ts';

import { apiKeyState } from './api-key-state.ts';

/** What a key's status cell says: the word, and until or since when. */
export function ApiKeyStatus({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  const state = apiKeyState(apiKey, now);
  if (state === 'rotating' && apiKey.previous_token) {
    return <Rotating validUntil={apiKey.previous_token.valid_until} now={now} />;
  }
  if (state === 'expiring' && apiKey.expires_at !== null) {
    const left = formatRemaining(new Date(apiKey.expires_at), now);
    return (
      <Status mark="ending" sub={<Deadline value={apiKey.expires_at} />}>
        Expires in {left}
      </Status>
    );
  }
  if (state === 'expired') {
    return (
      <Status mark="barred" sub={apiKey.expires_at && <Deadline value={apiKey.expires_at} />}>
        Expired
      </Status>
    );
  }
  if (state === 'revoked') return <Revoked apiKey={apiKey} />;
  return <Status mark="well">Active</Status>;
}

function Rotating({ validUntil, now }: { validUntil: string; now: Date }) {
  const leftSeconds = (Date.parse(validUntil) - now.getTime()) / 1000;
  return (
    <>
      <Status
        mark="turning"
        sub={
          <>
            <span className="whitespace-nowrap max-sm:hidden">
              Old token until <ExactTime form="short" value={validUntil} />
            </span>
            <span className="sm:hidden">{formatRemaining(new Date(validUntil), now)} left</span>
          </>
        }
      >
        Rotating
      </Status>
      <Meter
        className="mt-1.5 ml-[21px] max-sm:hidden"
        label="Grace of the old token"
        value={Math.round(leftSeconds)}
        max={DAY_S}
        text={`${formatDuration(leftSeconds)} left`}
      />
    </>
  );
}

// The gauge of a day: a longer grace stands full until its last 24 hours.
const DAY_S = 86_400;

function Revoked({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Status
      mark="barred"
      sub={
        apiKey.revoked_at && (
          <>
            <ExactTime form="day" value={apiKey.revoked_at} />
            {apiKey.revoked_reason !== null && (
              <span className="max-sm:hidden">: {apiKey.revoked_reason}</span>
            )}
          </>
        )
      }
    >
      Revoked
    </Status>
  );
}

/** With its clock time and zone where there is room for it. */
function Deadline({ value }: { value: string }) {
  return (
    <>
      <ExactTime value={value} className="max-sm:hidden" />
      <ExactTime form="day" value={value} className="sm:hidden" />
    </>
  );
}
