'use client';

import { type ReactNode, useId } from 'react';

import { cn } from '#lib/cn.ts';

import { FieldGroup } from './field-group.tsx';
import { Radio } from './radio.tsx';

export type RadioCard<Value extends string> = {
  value: Value;
  label: string;
  /** One or two lines about when to choose it. */
  description: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
};

export type RadioCardsProps<Value extends string> = {
  legend: ReactNode;
  name: string;
  cards: readonly RadioCard<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
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
      <div className="grid gap-2 sm:grid-cols-2">
        {cards.map((card) => (
          <label
            key={card.value}
            className={cn(
              'relative grid grid-cols-[1rem_minmax(0,1fr)] content-start gap-x-2.5 rounded-3 border border-line-strong bg-surface py-3 pr-3.5 pb-[13px] pl-3 transition-colors hover:border-line-field',
              'has-checked:border-accent-solid has-checked:bg-accent-soft has-checked:shadow-[inset_0_0_0_1px_var(--accent-solid)] forced-colors:has-checked:border-[Highlight]',
              card.disabled && 'text-ink-3',
            )}
          >
            <Radio
              name={name}
              value={card.value}
              checked={value === card.value}
              disabled={card.disabled}
              onChange={() => onChange(card.value)}
              aria-labelledby={`${id}-${card.value}`}
              aria-describedby={`${id}-${card.value}-about`}
              className="peer tick-box"
            />
            <span
              id={`${id}-${card.value}`}
              className="flex items-center justify-between font-medium peer-checked:[&_svg]:text-accent-ink [&_svg]:text-ink-3"
            >
              {card.label}
              {card.icon}
            </span>
            <span
              id={`${id}-${card.value}-about`}
              className="col-start-2 text-small text-pretty text-ink-2"
            >
              {card.description}
            </span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
