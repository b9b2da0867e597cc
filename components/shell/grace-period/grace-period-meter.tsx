import { Meter } from '#components/ui/feedback/meter.tsx';
import { formatDuration } from '#lib/time.ts';

type GracePeriodMeterProps = {
  of: 'old token' | 'old secret';
  /** When the grace period began and ends, as the API writes it. */
  from: string;
  to: string;
  now: Date;
  className?: string;
};

export function GracePeriodMeter({ of, from, to, now, className = '' }: GracePeriodMeterProps) {
  const end = Date.parse(to);
  const leftSeconds = Math.round((end - now.getTime()) / 1000);
  return (
    <Meter
      className={className}
      label={`Grace period of the ${of}`}
      value={leftSeconds}
      max={Math.max(1, Math.round((end - Date.parse(from)) / 1000))}
      text={`${formatDuration(leftSeconds)} left`}
    />
  );
}
