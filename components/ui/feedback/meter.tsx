import { cn } from '#lib/class-names/cn.ts';

type MeterProps = {
  label: string;
  value: number;
  max: number;
  /** The value as text: "21 hours 46 minutes left". */
  text: string;
  /** `progressbar` for the progress of a task; `meter` for an amount within a range. */
  role?: 'meter' | 'progressbar';
  className?: string;
};

/** A thin bar that shows a value within a range. */
export function Meter({ label, value, max, text, role = 'meter', className }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <span
      role={role}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, Math.max(0, value))}
      aria-valuetext={text}
      className={cn('block h-[3px] w-30 overflow-hidden rounded-full bg-fill-track', className)}
    >
      <span
        data-mark
        className="block h-full rounded-full bg-accent"
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}
