import { type ReactNode, useId } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { Radio } from './radio.tsx';

export type Segment<Value extends string> = {
  value: Value;
  label: ReactNode;
  /** How many there are, as text. On a phone it is below the label. */
  count?: string | undefined;
};

type SegmentedProps<Value extends string> = {
  /** Forms a sentence with the options: "The old token ends" – "in 24 hours". */
  legend: string;
  isLegendHidden?: boolean;
  name?: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** As wide as its labels instead of the whole width. */
  fit?: boolean;
  /** What the current choice means, in one sentence. */
  help?: ReactNode;
  className?: string;
};

/** A segmented control: two to five short options of which one is selected. */
export function Segmented<Value extends string>({
  legend,
  isLegendHidden = false,
  name,
  segments,
  value,
  onChange,
  fit = false,
  help,
  className,
}: SegmentedProps<Value>) {
  const id = useId();
  return (
    <fieldset
      className={className}
      aria-describedby={help === undefined ? undefined : `${id}-help`}
    >
      <legend className={isLegendHidden ? 'sr-only' : 'mb-1.5 text-small font-medium text-ink'}>
        {legend}
      </legend>
      <div
        className={cn(
          'flex gap-0.5 rounded-3 bg-fill-active p-0.5 max-sm:flex-wrap',
          fit && 'sm:inline-flex',
        )}
      >
        {segments.map((segment) => (
          <label
            key={segment.value}
            className={cn(
              'group/segment relative flex h-7 flex-1 items-center justify-center rounded-2 px-3 text-small font-medium whitespace-nowrap text-ink-2 transition-[background-color,color] duration-(--base)',
              'hover:text-ink has-checked:bg-thumb has-checked:text-ink has-checked:shadow-segment max-sm:h-10 max-sm:px-1.5 pointer-coarse:h-10',
              'forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
              segment.count !== undefined &&
                'gap-1.5 max-sm:h-12! max-sm:flex-col max-sm:gap-0 max-sm:px-1 max-sm:leading-4',
            )}
          >
            <span>
              <Radio
                name={name ?? id}
                value={segment.value}
                checked={value === segment.value}
                onChange={() => onChange(segment.value)}
                className="absolute inset-0 m-0 opacity-0 outline-none"
              />
              {segment.label}
            </span>
            {segment.count !== undefined && (
              <span className="font-normal text-ink-3 tabular-nums not-forced-colors:group-has-checked/segment:text-ink-2 forced-colors:text-inherit">
                {segment.count}
              </span>
            )}
          </label>
        ))}
      </div>
      {help !== undefined && (
        <div id={`${id}-help`} className="mt-1.5 text-small text-pretty text-ink-3">
          {help}
        </div>
      )}
    </fieldset>
  );
}
