import { X } from 'lucide-react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatDateTimeLocal, formatShort, formatSpan, formatZone } from '#lib/time.ts';

import { changeEnd, type DeliveryView } from './delivery-view.ts';

type DeliveryWindowProps = {
  view: DeliveryView;
  onChange: (change: Partial<DeliveryView>) => void;
};

/**
 * The window of time of which deliveries are shown, with fields for its ends and a button to leave
 * it.
 */
export function DeliveryWindow({ view, onChange }: DeliveryWindowProps) {
  const { from, to } = view;
  const now = useNow();
  // The server does not know the reader's time zone.
  const valueOf = (end: Date | null) =>
    now === null || end === null ? '' : formatDateTimeLocal(end);
  const isEmpty = from !== null && to !== null && from >= to;
  return (
    <>
      <Button
        icon={<X />}
        onClick={() => onChange({ from: null, to: null })}
        className="max-sm:flex-1"
      >
        <span className="text-ink-2">
          <span className="sr-only">Remove the filter: </span>
          {describeWindow(view, now === null ? 'UTC' : undefined)}
        </span>
      </Button>
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
    </>
  );
}

function describeWindow(
  { from, to }: Pick<DeliveryView, 'from' | 'to'>,
  zone: string | undefined,
): string {
  if (from !== null && to !== null) return formatSpan(from, to, zone);
  if (from !== null) return `Since ${formatShort(from, zone)}`;
  return to === null ? '' : `Before ${formatShort(to, zone)}`;
}
