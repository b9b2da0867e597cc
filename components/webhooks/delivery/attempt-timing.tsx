import { ExactTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { Attempt } from '#lib/contract/deliveries/delivery.ts';
import { formatMilliseconds } from '#lib/time.ts';
import { type AttemptPhase, attemptPhases } from './describe-attempt.ts';

/** The phases of an attempt and how long they took, as a bar and as numbers. */
export function AttemptTiming({ attempt }: { attempt: Attempt }) {
  const phases = attemptPhases(attempt);
  return (
    <div className="grid gap-2 text-small tabular-nums">
      <div className="flex flex-wrap justify-between gap-x-4">
        <h4 className="font-medium">Attempt {attempt.number}</h4>
        <ExactTime value={attempt.started_at} form="seconds" className="text-ink-3" />
      </div>
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-1">
        {phases.map(
          ({ part, ms }) =>
            ms !== null && (
              <span
                key={part}
                data-mark
                className={cn('min-w-0.5', colorOf(part, attempt))}
                style={{ flexGrow: ms, flexBasis: 0 }}
              />
            ),
        )}
      </div>
      <dl className="grid gap-1">
        {phases.map((phase) => (
          <PhaseLine key={phase.part} phase={phase} attempt={attempt} />
        ))}
      </dl>
    </div>
  );
}

function PhaseLine({ phase, attempt }: { phase: AttemptPhase; attempt: Attempt }) {
  const { part, label, ms } = phase;
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden data-mark className={cn('size-2 rounded-[2px]', colorOf(part, attempt))} />
      <dt className="text-ink-2">{label}</dt>
      <dd className={cn('ml-auto', ms === null && 'text-ink-3')}>
        {ms === null ? 'Not reached' : formatMilliseconds(ms)}
      </dd>
    </div>
  );
}

function colorOf(part: AttemptPhase['part'], attempt: Attempt): string {
  switch (part) {
    case 'queue':
      return 'bg-fill-track';
    case 'response':
      return attempt.first_byte_ms === null ? 'bg-data-failed' : 'bg-data-delivered';
    case 'reading':
      return 'bg-accent-solid';
  }
}
