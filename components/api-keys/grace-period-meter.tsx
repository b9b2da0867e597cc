import { Meter } from '#components/ui/feedback/meter.tsx';
import { formatDuration } from '#lib/time.ts';

import type { OlderToken } from './older-tokens.ts';

type GracePeriodMeterProps = {
  older: OlderToken;
  now: Date;
  className?: string;
};

/** How much of an older token's grace period is left. */
export function GracePeriodMeter({ older, now, className }: GracePeriodMeterProps) {
  const end = Date.parse(older.valid_until);
  const leftSeconds = (end - now.getTime()) / 1000;
  return (
    <Meter
      className={className ?? ''}
      label="Grace of the old token"
      value={Math.round(leftSeconds)}
      max={Math.max(1, Math.round((end - Date.parse(older.replaced_at)) / 1000))}
      text={`${formatDuration(leftSeconds)} left`}
    />
  );
}
