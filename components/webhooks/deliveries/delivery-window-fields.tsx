'use client';

import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatDateTimeLocal, formatZone } from '#lib/time.ts';

import { changeEnd, type DeliveryView } from './delivery-view.ts';

type DeliveryWindowFieldsProps = {
  view: DeliveryView;
  onChange: (change: Partial<DeliveryView>) => void;
};

/** Fields for the ends of the window of time of which deliveries are shown. */
export function DeliveryWindowFields({ view, onChange }: DeliveryWindowFieldsProps) {
  const { from, to } = view;
  const now = useNow();
  // The server does not know the reader's time zone.
  const valueOf = (end: Date | null) =>
    now === null || end === null ? '' : formatDateTimeLocal(end);
  const isEmpty = from !== null && to !== null && from >= to;
  return (
    <div className="grid basis-full gap-x-3 gap-y-2 sm:grid-cols-[14rem_14rem]">
      <Field label="From" hint={now === null ? undefined : formatZone(from ?? now)}>
        <Input
          type="datetime-local"
          value={valueOf(from)}
          onChange={({ target }) => onChange(changeEnd(view, 'from', target.value))}
        />
      </Field>
      <Field
        label="Until"
        hint="now, if left empty"
        error={isEmpty ? 'Choose a time after the start.' : undefined}
      >
        <Input
          type="datetime-local"
          value={valueOf(to)}
          onChange={({ target }) => onChange(changeEnd(view, 'to', target.value))}
        />
      </Field>
    </div>
  );
}
