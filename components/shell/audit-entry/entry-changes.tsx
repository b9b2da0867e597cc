import { ExactTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { fieldLabel } from './field-label.ts';
import { type FieldChange, linesOf } from './read-changes.ts';

export function EntryChanges({ changes }: { changes: readonly FieldChange[] }) {
  const hasBefore = changes.some((change) => 'before' in change);
  return (
    <table className="w-full table-fixed border-collapse text-small">
      <caption className="sr-only">{hasBefore ? 'Before and after' : 'Details'}</caption>
      <thead>
        <tr className="border-b border-line text-left text-micro text-ink-3 *:h-8 *:pr-3 *:font-medium">
          <th scope="col">Field</th>
          {hasBefore && <th scope="col">Before</th>}
          <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field} className="border-b border-line align-top *:py-2 *:pr-3">
            <th scope="row" className="text-left font-normal wrap-anywhere text-ink-3">
              {fieldLabel(change.field)}
            </th>
            {hasBefore && <td>{'before' in change && <Values of={change} side="before" />}</td>}
            <td>
              <Values of={change} side="after" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The value of a field before or after a change. Lines that only one side has are marked. */
export function Values({ of: change, side }: { of: FieldChange; side: 'before' | 'after' }) {
  const { field } = change;
  const otherSide = change[side === 'before' ? 'after' : 'before'];
  const other =
    'before' in change ? linesOf(field, otherSide).map((line) => JSON.stringify(line)) : null;
  return (
    <ul className="grid gap-0.5">
      {linesOf(field, change[side]).map((line) => {
        const key = JSON.stringify(line);
        const isMarked = other !== null && !other.includes(key);
        return (
          <li key={key} className="wrap-anywhere">
            <span
              className={cn(
                'rounded-1 box-decoration-clone',
                isMarked && '-mx-1 px-1',
                isMarked && (side === 'before' ? 'bg-fill-track line-through' : 'bg-accent-soft'),
              )}
            >
              {line.map((part, index) =>
                typeof part === 'string' ? (
                  part
                ) : (
                  <ExactTime key={index} value={part.time} className="whitespace-normal" />
                ),
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
