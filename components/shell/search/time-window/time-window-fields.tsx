import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatDateTimeLocal, formatExact, formatZone } from '#lib/time.ts';
import { changeEnd, type TimeWindow } from './time-window.ts';

type TimeWindowFieldsProps = {
  view: TimeWindow;
  /** Ends of the time window in the URL that are not valid times. */
  unreadable?: readonly (keyof TimeWindow)[];
  onChange: (change: Partial<TimeWindow>) => void;
};

export function TimeWindowFields({ view, unreadable = [], onChange }: TimeWindowFieldsProps) {
  const { from, to } = view;
  const now = useNow();
  // The server does not know the reader's time zone.
  const valueOf = (end: Date | null) =>
    now === null || end === null ? '' : formatDateTimeLocal(end);
  // Browsers write the time in the format of their own language.
  const chosen = (end: Date | null) =>
    now === null || end === null ? undefined : formatExact(end);
  const isEmpty = from !== null && to !== null && from >= to;
  const errorOf = (end: keyof TimeWindow) => (unreadable.includes(end) ? noTime : undefined);
  return (
    <div className="grid basis-full gap-x-3 gap-y-2 sm:grid-cols-[14rem_14rem]">
      <Field
        label="From"
        hint={now === null ? undefined : formatZone(from ?? now)}
        error={errorOf('from')}
        help={chosen(from)}
      >
        <Input
          type="datetime-local"
          value={valueOf(from)}
          onChange={({ target }) => onChange(changeEnd(view, 'from', target.value))}
        />
      </Field>
      <Field
        label="Until"
        hint="Defaults to now"
        error={errorOf('to') ?? (isEmpty ? 'Choose a time after the start.' : undefined)}
        help={chosen(to)}
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

const noTime = 'The time in the address of this page is not valid. Choose another.';
