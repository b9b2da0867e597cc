'use client';

import { type ReactNode, useId } from 'react';

import { cn } from '#lib/class-names/cn.ts';

import { FieldGroup } from './form/field-group.tsx';
import { Radio } from './radio.tsx';

export type RadioCard<Value extends string> = {
  value: Value;
  label: string;
  /** One or two lines about when to choose it. */
  description: ReactNode;
  icon?: ReactNode;
  /** At the end of the label's line: "2 of 6 active keys". */
  aside?: ReactNode;
  disabled?: boolean;
  /** What else there is to choose or to know; shown in the card while it is chosen. */
  details?: ReactNode;
};

type RadioCardsProps<Value extends string> = {
  legend: ReactNode;
  name: string;
  cards: readonly RadioCard<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  /** On wide screens. */
  columns?: 1 | 2;
  help?: ReactNode;
  error?: string | undefined;
};

/** A group of radio buttons, each with label and description. They are native inputs. */
export function RadioCards<Value extends string>({
  legend,
  name,
  cards,
  value,
  onChange,
  columns = 2,
  help,
  error,
}: RadioCardsProps<Value>) {
  const id = useId();
  return (
    <FieldGroup
      role="radiogroup"
      aria-invalid={error === undefined ? undefined : true}
      legend={legend}
      help={help}
      error={error}
      noteId={`${id}-note`}
    >
      <div className={cn('grid gap-2', columns === 2 && 'sm:grid-cols-2')}>
        {cards.map((card) => (
          <div
            key={card.value}
            className={cn(
              'relative grid grid-rows-[1fr_auto] rounded-3 border bg-surface transition-colors',
              error === undefined
                ? 'border-line-strong hover:border-line-field'
                : 'border-bad-mark',
              'has-checked:border-accent-solid has-checked:bg-accent-soft has-checked:shadow-[inset_0_0_0_1px_var(--accent-solid)] forced-colors:has-checked:border-[Highlight]',
              card.disabled && 'text-ink-3',
            )}
          >
            <label
              className={cn(
                'grid grid-cols-[1rem_minmax(0,1fr)] content-start gap-x-2.5 py-3 pr-3.5 pb-[13px] pl-3',
                card.aside !== undefined && 'sm:grid-cols-[1rem_minmax(0,1fr)_auto]',
              )}
            >
              <Radio
                name={name}
                value={card.value}
                checked={value === card.value}
                disabled={card.disabled}
                onChange={() => onChange(card.value)}
                aria-labelledby={`${id}-${card.value}`}
                aria-describedby={cn(
                  `${id}-${card.value}-about`,
                  card.aside !== undefined && `${id}-${card.value}-aside`,
                )}
                className="peer tick-box"
              />
              <span
                id={`${id}-${card.value}`}
                className="flex items-center justify-between font-medium peer-checked:[&_svg]:text-accent-ink [&_svg]:text-ink-3"
              >
                {card.label}
                {card.icon}
              </span>
              {card.aside !== undefined && (
                <span
                  id={`${id}-${card.value}-aside`}
                  className="text-small whitespace-nowrap text-ink-2 tabular-nums max-sm:col-start-2 max-sm:row-start-3"
                >
                  {card.aside}
                </span>
              )}
              <span
                id={`${id}-${card.value}-about`}
                className="col-start-2 text-small text-pretty text-ink-2"
              >
                {card.description}
              </span>
            </label>
            {card.details !== undefined && value === card.value && (
              <div className="pr-3.5 pb-3.5 pl-[2.375rem]">{card.details}</div>
            )}
          </div>
        ))}
      </div>
    </FieldGroup>
  );
}
