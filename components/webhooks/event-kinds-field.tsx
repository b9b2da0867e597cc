'use client';

import { useId } from 'react';

import { Checkbox } from '#components/ui/checkbox.tsx';
import { FieldNote } from '#components/ui/field.tsx';
import { type EventKind, eventKinds, eventKindTable } from '#lib/contract/event-kinds.ts';

type EventKindsFieldProps = {
  chosen: readonly EventKind[];
  onChange: (chosen: EventKind[]) => void;
  error: string | undefined;
};

/** The kinds of events, each with what it means. */
export function EventKindsField({ chosen, onChange, error }: EventKindsFieldProps) {
  const id = useId();
  const noteId = error === undefined ? undefined : `${id}-note`;
  return (
    <fieldset aria-describedby={noteId}>
      <legend className="mb-1.5 flex items-baseline gap-2 text-small font-medium text-ink">
        Events
        <span className="text-micro font-normal text-ink-3">
          {chosen.length} of {eventKinds.length}
        </span>
      </legend>
      <div className="grid gap-2.5 rounded-3 border border-line-strong px-3.5 py-3 max-sm:gap-1 max-sm:py-1.5">
        {eventKinds.map((kind) => (
          <Checkbox
            key={kind}
            name="events"
            value={kind}
            label={eventKindTable[kind]}
            description={<span className="code-micro sm:hidden">{kind}</span>}
            end={<span className="leading-5 max-sm:hidden">{kind}</span>}
            checked={chosen.includes(kind)}
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={noteId}
            onChange={(event) => onChange(withKind(chosen, kind, event.target.checked))}
          />
        ))}
      </div>
      {noteId !== undefined && <FieldNote id={noteId} error={error} />}
    </fieldset>
  );
}

/** In table order, whatever the order of ticking. */
function withKind(chosen: readonly EventKind[], kind: EventKind, isChosen: boolean): EventKind[] {
  return eventKinds.filter((one) => (one === kind ? isChosen : chosen.includes(one)));
}
