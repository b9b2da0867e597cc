import type { GraceChoice } from '#components/shell/grace-period/grace-choices.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';

import { MaskedToken } from '../masked-token.tsx';

type RotationTimelineProps = { lastFour: string; choice: GraceChoice; endsAt: Date | null };

/** Shows as two bars how long the old and the new token work. The sentence above says the same. */
export function RotationTimeline({ lastFour, choice, endsAt }: RotationTimelineProps) {
  const end = `${ENDS_AT_PERCENT[choice]}%`;
  return (
    <div
      aria-hidden
      className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-3.5 gap-y-2 text-micro text-ink-3"
    >
      <MaskedToken lastFour={lastFour} form="short" />
      <span className="h-1.5 rounded-full bg-fill-track forced-colors:outline">
        <span
          data-mark
          className="block h-full rounded-full bg-ink-3 transition-[width] duration-(--slow) ease-(--ease)"
          style={{ width: end }}
        />
      </span>
      <span>New token</span>
      <span data-mark className="h-1.5 rounded-full bg-accent" />
      <span />
      <span className="relative h-4">
        <span className="absolute left-0">Now</span>
        {endsAt && (
          <span
            className={`absolute whitespace-nowrap ${choice === '604800' ? '-translate-x-full' : '-translate-x-1/2'}`}
            style={{ left: choice === '604800' ? '100%' : end }}
          >
            <ExactTime form="short" value={endsAt.toISOString()} />
          </span>
        )}
      </span>
    </div>
  );
}

// Not to scale: an hour would be invisible beside a week.
const ENDS_AT_PERCENT: Record<GraceChoice, number> = { 0: 0, 3600: 38, 86400: 72, 604800: 92 };
