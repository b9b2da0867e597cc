import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ReplayInput } from '#lib/contract/deliveries/replays.ts';
import { formatDateTimeLocal, formatZone } from '#lib/time.ts';
import {
  mayStartTooEarly,
  type ReplayDraft,
  windowPresets,
  type WindowErrors,
  selectPreset,
} from './replay-draft.ts';

type WindowFieldsProps = {
  draft: ReplayDraft;
  /** What would be sent. Null: the window has an error. */
  input: ReplayInput | null;
  errors: WindowErrors;
  /** The time from which presets count back. */
  now: Date;
  onChange: (part: Partial<ReplayDraft>) => void;
  /** Called when a field loses the focus. */
  onBlur: () => void;
};

/** The fields for the window, with the resulting times. */
export function WindowFields({ draft, input, errors, now, onChange, onBlur }: WindowFieldsProps) {
  const isOwn = draft.preset === 'custom';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Segmented
        legend="From when"
        segments={windowPresets}
        value={draft.preset}
        onChange={(span) => onChange(selectPreset(draft, span, new Date()))}
        help={!isOwn && <ResolvedWindow input={input} now={now} />}
      />
      {isOwn && (
        <div>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label="From" error={errors.since}>
              <Input
                type="datetime-local"
                value={draft.since}
                // Also limits the year to four digits in the browser's field.
                max={formatDateTimeLocal(now)}
                required
                onChange={({ target }) => onChange({ since: target.value })}
                onBlur={onBlur}
              />
            </Field>
            <Field label="Until" hint="Defaults to now" error={errors.until}>
              <Input
                type="datetime-local"
                value={draft.until}
                max={formatDateTimeLocal(now)}
                onChange={({ target }) => onChange({ until: target.value })}
                onBlur={onBlur}
              />
            </Field>
          </div>
          <p className="mt-1.5 text-small text-pretty text-ink-3">
            In your own time zone, {formatZone(input === null ? now : new Date(input.since))}
            {mayStartTooEarly(input, now) && ', and as far back as events are kept'}.
            {input !== null && (
              <>
                {' '}
                From <ExactTime value={input.since} /> until{' '}
                {input.until === undefined ? 'now' : <ExactTime value={input.until} />}.
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}

function ResolvedWindow({ input, now }: Pick<WindowFieldsProps, 'input' | 'now'>) {
  if (input === null) return null;
  return (
    <>
      From <ExactTime value={input.since} /> until now
      {mayStartTooEarly(input, now) && ', as far back as events are kept'}.
    </>
  );
}
