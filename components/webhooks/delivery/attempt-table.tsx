import { cn } from '#lib/class-names/cn.ts';
import type { Attempt } from '#lib/contract/deliveries/delivery.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { formatDay, formatMilliseconds } from '#lib/time.ts';
import { attemptResult } from './describe-attempt.ts';

type AttemptTableProps = {
  /** Oldest first. */
  attempts: readonly Attempt[];
  chosen: Attempt;
  onChoose: (attempt: Attempt) => void;
};

/** The attempts of a delivery. A press on a row shows its request and response. */
export function AttemptTable({ attempts, chosen, onChoose }: AttemptTableProps) {
  const longestMs = Math.max(shortestScaleMs, ...attempts.map((one) => one.duration_ms));
  return (
    <div className="@container -mx-2">
      <table className="w-full table-fixed border-separate border-spacing-0 text-small tabular-nums">
        <caption className="sr-only">Attempts, first to last</caption>
        <colgroup>
          <col className="w-9" />
          <col className="w-28 max-sm:w-24" />
          <col />
          <col className="w-18" />
          <col className="w-34 max-sm:w-20" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Result</th>
            <th scope="col" aria-hidden>
              Length
            </th>
            <th scope="col">Took</th>
            <th scope="col">Began</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt, index) => (
            <AttemptRow
              key={attempt.id}
              attempt={attempt}
              isChosen={attempt.id === chosen.id}
              hasDay={isOtherDay(attempt, attempts[index - 1])}
              share={attempt.duration_ms / longestMs}
              onChoose={() => onChoose(attempt)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The scale covers at least this, so that quick responses get short bars. */
const shortestScaleMs = 1000;

type AttemptRowProps = {
  attempt: Attempt;
  isChosen: boolean;
  hasDay: boolean;
  /** The duration as a share of the longest attempt's, 0 to 1. */
  share: number;
  onChoose: () => void;
};

function AttemptRow({ attempt, isChosen, hasDay, share, onChoose }: AttemptRowProps) {
  const result = attemptResult(attempt);
  return (
    <tr
      className={cn(
        'h-7 max-sm:h-11 [&>td:first-child]:rounded-l-2 [&>td:last-child]:rounded-r-2',
        isChosen ? '[&>td]:bg-accent-soft' : 'hover:[&>td]:bg-fill-hover',
      )}
    >
      <td className="pl-2 text-ink-3">{attempt.number}</td>
      <td className="relative pr-2">
        <button
          type="button"
          aria-pressed={isChosen}
          onClick={onChoose}
          // The whole row is clickable: from the left edge of the first cell, and as wide as the
          // table.
          className="max-w-full cursor-default truncate rounded-1 text-left font-medium after:absolute after:inset-y-0 after:-left-9 after:w-[100cqw]"
        >
          <span className="sr-only">Attempt {attempt.number}: </span>
          {result.label}
        </button>
      </td>
      <td aria-hidden>
        <span
          data-mark
          className={cn('block h-1.5 min-w-1 rounded-full', barColor(attempt, result.isSuccess))}
          style={{ width: `${Math.max(1, Math.round(share * 100))}%` }}
        />
      </td>
      <td className="text-right whitespace-nowrap">{formatMilliseconds(attempt.duration_ms)}</td>
      <td className="pr-2 text-right text-ink-3">
        <ExactTime
          value={attempt.started_at}
          form={hasDay ? 'moment' : 'clock'}
          className="max-sm:hidden"
        />
        <ExactTime value={attempt.started_at} form="clock" className="sm:hidden" />
      </td>
    </tr>
  );
}

/** Red if there was no response, gray for an error status. */
function barColor({ error }: Attempt, isSuccess: boolean): string {
  if (isSuccess) return 'bg-data-delivered';
  return error === null ? 'bg-ink-3' : 'bg-data-failed';
}

function isOtherDay(attempt: Attempt, before: Attempt | undefined): boolean {
  return (
    before === undefined ||
    formatDay(new Date(attempt.started_at)) !== formatDay(new Date(before.started_at))
  );
}
