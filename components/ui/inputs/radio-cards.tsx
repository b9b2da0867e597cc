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
          <Card
            key={card.value}
            card={card}
            name={name}
            id={`${id}-${card.value}`}
            isChosen={value === card.value}
            isInvalid={error !== undefined}
            onChoose={() => onChange(card.value)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}

type CardProps<Value extends string> = {
  card: RadioCard<Value>;
  /** Of the group. */
  name: string;
  id: string;
  isChosen: boolean;
  isInvalid: boolean;
  onChoose: () => void;
};

function Card<Value extends string>({
  card,
  name,
  id,
  isChosen,
  isInvalid,
  onChoose,
}: CardProps<Value>) {
  const { value, label, description, icon, aside, disabled, details } = card;
  return (
    <div
      className={cn(
        'relative grid grid-rows-[1fr_auto] rounded-3 border bg-surface transition-colors',
        isInvalid ? 'border-bad-mark' : 'border-line-strong hover:border-line-field',
        'has-checked:border-accent-solid has-checked:bg-accent-soft has-checked:shadow-[inset_0_0_0_1px_var(--accent-solid)] forced-colors:has-checked:border-[Highlight]',
        disabled && 'text-ink-3',
      )}
    >
      <label
        className={cn(
          'grid grid-cols-[1rem_minmax(0,1fr)] content-start gap-x-2.5 py-3 pr-3.5 pb-[13px] pl-3',
          aside !== undefined && 'sm:grid-cols-[1rem_minmax(0,1fr)_auto]',
        )}
      >
        <Radio
          name={name}
          value={value}
          checked={isChosen}
          disabled={disabled}
          onChange={onChoose}
          aria-labelledby={id}
          aria-describedby={cn(`${id}-about`, aside !== undefined && `${id}-aside`)}
          className="peer tick-box"
        />
        <span
          id={id}
          className="flex items-center justify-between font-medium peer-checked:[&_svg]:text-accent-ink [&_svg]:text-ink-3"
        >
          <span>{label}</span>
          {icon}
        </span>
        {aside !== undefined && (
          <span
            id={`${id}-aside`}
            className="text-small whitespace-nowrap text-ink-2 tabular-nums max-sm:col-start-2 max-sm:row-start-3"
          >
            {aside}
          </span>
        )}
        <span id={`${id}-about`} className="col-start-2 text-small text-pretty text-ink-2">
          {description}
        </span>
      </label>
      {details !== undefined && isChosen && (
        <div className="pr-3.5 pb-3.5 pl-[2.375rem]">{details}</div>
      )}
    </div>
  );
}
