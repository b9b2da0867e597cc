import { useInfiniteQuery } from '@tanstack/react-query';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { RecordedChange } from '#lib/contract/audit-log/changes.ts';
import { type ChangesOf, changesQuery } from '#lib/queries/audit-log.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { LoadOlder } from '../page/load-older.tsx';
import { ReadFailure } from '../page/read-failure.tsx';
import { Section } from '../page/section.tsx';
import { useOlderPages } from '../page/use-older-pages.ts';
import { Values } from './entry-changes.tsx';
import { EntrySentence } from './entry-sentence.tsx';
import { fieldLabel } from './field-label.ts';
import { readChanges } from './read-changes.ts';

type ChangesProps = { accountId: string; of: ChangesOf };

/** What was changed about a key or webhook: by whom, when, and the values before and after. */
export function Changes({ accountId, of }: ChangesProps) {
  const { read, older } = useOlderPages(
    useInfiniteQuery({
      ...changesQuery(accountId, of),
      refetchInterval: pageRefetchInterval,
    }),
  );
  const { data, error } = read;
  const changes = dataIfPermitted(data, error)?.pages.flatMap((page) => page.data);
  return (
    <Section title="Changes">
      <ReadFailure what="The changes" shown="the changes" noun="changes" read={read} />
      {changes === undefined && !error && <Skeleton width={320} />}
      {changes !== undefined && (
        <>
          {changes.length > 0 && (
            <ol aria-label="Changes" className="border-t border-line">
              {changes.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </ol>
          )}
          <LoadOlder older={older} what="The older changes" noun="changes">
            {changes.length > 0 ? 'Newest first.' : 'No changes are recorded.'}
          </LoadOlder>
        </>
      )}
    </Section>
  );
}

function Change({ change }: { change: RecordedChange }) {
  const fields = readChanges(change.changes);
  return (
    <li className="grid gap-1.5 border-b border-line py-2.5">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere text-ink-2">
          <strong className="font-medium text-ink">{change.actor.name}</strong>{' '}
          <EntrySentence entry={change} />
        </span>
        <span className="text-small text-ink-3">
          <ExactTime form="short" value={change.at} />
        </span>
      </p>
      {fields.length > 0 && (
        <dl className="grid gap-1 text-small">
          {fields.map((field) => (
            <div
              key={field.field}
              className="grid gap-x-3 sm:grid-cols-[minmax(0,10rem)_minmax(0,1fr)]"
            >
              <dt className="text-ink-3">{fieldLabel(field.field)}</dt>
              <dd className="grid gap-0.5">
                {'before' in field && (
                  <div>
                    <span className="sr-only">Before: </span>
                    <Values of={field} side="before" />
                  </div>
                )}
                <div>
                  {'before' in field && <span className="sr-only">After: </span>}
                  <Values of={field} side="after" />
                </div>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
