import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { CountedCalls } from '#lib/contract/api-keys/incidents/incident-preview.ts';

type CallCountsNoteProps = { counted: CountedCalls };

/** Shows which hours the numbers of calls cover. */
export function CallCountsNote({
  counted: { hour_from: hour, day_from: day },
}: CallCountsNoteProps) {
  return (
    <p className="text-small text-pretty text-ink-3">
      {hour === day ? (
        <>
          Calls are counted by the hour, here since <ExactTime form="short" value={hour} />.
        </>
      ) : (
        <>
          Calls are counted by the hour: “an hour” is the average since{' '}
          <ExactTime form="short" value={hour} />, “24&nbsp;h” everything since{' '}
          <ExactTime form="short" value={day} />.
        </>
      )}{' '}
      Calls of the last 10 seconds may be missing. A job that runs once a week may show no calls.
    </p>
  );
}
