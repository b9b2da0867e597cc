'use client';

import { useId } from 'react';

import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { FieldNote } from '#components/ui/inputs/field.tsx';
import { type EventType, eventTypes, eventTypeTable } from '#lib/contract/event-types.ts';

type EventTypesFieldProps = {
  chosen: readonly EventType[];
  onChange: (chosen: EventType[]) => void;
  error: string | undefined;
};

/** A checkbox for each event type, with its description. */
export function EventTypesField({ chosen, onChange, error }: EventTypesFieldProps) {
  const id = useId();
  const noteId = error === undefined ? undefined : `${id}-note`;
  return (
    <fieldset aria-describedby={noteId}>
      <legend className="mb-1.5 flex items-baseline gap-2 text-small font-medium text-ink">
        Events
        <span className="text-micro font-normal text-ink-3">
          {chosen.length} of {eventTypes.length}
        </span>
      </legend>
      <div className="grid gap-2.5 rounded-3 border border-line-strong px-3.5 py-3 max-sm:gap-1 max-sm:py-1.5">
        {eventTypes.map((type) => (
          <Checkbox
            key={type}
            name="events"
            value={type}
            label={eventTypeTable[type]}
            description={<span className="code-micro sm:hidden">{type}</span>}
            end={<span className="leading-5 max-sm:hidden">{type}</span>}
            checked={chosen.includes(type)}
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={noteId}
            onChange={(event) => onChange(withType(chosen, type, event.target.checked))}
          />
        ))}
      </div>
      {noteId !== undefined && <FieldNote id={noteId} error={error} />}
    </fieldset>
  );
}

/** In the order of the catalog, whatever the order of ticking. */
function withType(chosen: readonly EventType[], type: EventType, isChosen: boolean): EventType[] {
  return eventTypes.filter((one) => (one === type ? isChosen : chosen.includes(one)));
}
