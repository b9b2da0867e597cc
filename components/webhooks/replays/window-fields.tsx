'use client';

import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import { formatZone } from '#lib/time.ts';

import {
  type DraftReading,
  localMinute,
  type ReplayDraft,
  spanChoices,
  type WindowErrors,
  withSpan,
} from './replay-draft.ts';

type WindowFieldsProps = {
  draft: ReplayDraft;
  reading: DraftReading;
  errors: WindowErrors;
  /** When the choices were made last. */
  now: Date;
  onChange: (part: Partial<ReplayDraft>) => void;
  /** A field was filled in and left. */
  onLeft: () => void;
};

/** From when until when, with the moments that come of it. */
export function WindowFields({ draft, reading, errors, now, onChange, onLeft }: WindowFieldsProps) {
  const isOwn = draft.span === 'own';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Segmented
        legend="From when"
        segments={spanChoices}
        value={draft.span}
        onChange={(span) => onChange(withSpan(draft, span, new Date()))}
        help={!isOwn && <Moments reading={reading} />}
      />
      {isOwn && (
        <div>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label="From" error={errors.since}>
              <Input
                type="datetime-local"
                value={draft.since}
                // Also says that a year has four digits, and is left after them.
                max={localMinute(now)}
                required
                onChange={({ target }) => onChange({ since: target.value })}
                onBlur={onLeft}
              />
            </Field>
            <Field label="Until" hint="now, if left empty" error={errors.until}>
              <Input
                type="datetime-local"
                value={draft.until}
                max={localMinute(now)}
                onChange={({ target }) => onChange({ until: target.value })}
                onBlur={onLeft}
              />
            </Field>
          </div>
          <p className="mt-1.5 text-small text-pretty text-ink-3">
            In your own time zone, {formatZone(reading.ok ? new Date(reading.input.since) : now)},
            and as far back as events are kept.
          </p>
        </div>
      )}
    </div>
  );
}

function Moments({ reading }: { reading: DraftReading }) {
  if (!reading.ok) return null;
  return (
    <>
      From <ExactTime value={reading.input.since} /> until now, as far back as events are kept.
    </>
  );
}
