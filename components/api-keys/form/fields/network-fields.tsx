import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { FieldNote } from '#components/ui/inputs/form/field.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { parseNetwork } from './network.ts';

export type NetworkEntry = { id: number; text: string };

type NetworkFieldsProps = {
  value: readonly NetworkEntry[];
  onChange: (value: NetworkEntry[]) => void;
  /** Whether invalid networks are marked. False until the form was submitted once. */
  showsErrors: boolean;
  /** The service's message about the networks. */
  error: string | undefined;
};

/** A text field for each allowed network, with buttons to add and remove them. */
export function NetworkFields({ value, onChange, showsErrors, error }: NetworkFieldsProps) {
  const noteId = useId();
  /** The field that was added last. Fields that were there before must not take the focus. */
  const [addedId, setAddedId] = useState<number | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);

  function add() {
    const id = Math.max(0, ...value.map((entry) => entry.id)) + 1;
    setAddedId(id);
    onChange([...value, { id, text: '' }]);
  }

  function remove(id: number) {
    onChange(value.filter((entry) => entry.id !== id));
    addButton.current?.focus();
  }

  return (
    <FieldGroup
      legend="Allowed networks"
      hint="Optional"
      help={value.length === 0 ? 'Calls are allowed from any address.' : undefined}
      error={error}
      noteId={noteId}
    >
      {value.length > 0 && (
        <ul className="mb-2.5 grid gap-2">
          {value.map((entry, index) => (
            <NetworkField
              key={entry.id}
              position={index + 1}
              text={entry.text}
              isAdded={entry.id === addedId}
              isInvalid={error !== undefined}
              showsErrors={showsErrors}
              onChange={(text) =>
                onChange(value.map((other) => (other.id === entry.id ? { ...entry, text } : other)))
              }
              onRemove={() => remove(entry.id)}
            />
          ))}
        </ul>
      )}
      <Button
        ref={addButton}
        size="small"
        icon={<Plus />}
        disabledReason={
          value.length >= maxNetworks ? `You can add up to ${maxNetworks} networks.` : undefined
        }
        onClick={add}
      >
        Add network
      </Button>
    </FieldGroup>
  );
}

const maxNetworks = 50;

type NetworkFieldProps = {
  position: number;
  text: string;
  /** Whether the person has just added it: then it takes the focus. */
  isAdded: boolean;
  /** Whether the service refused the networks. */
  isInvalid: boolean;
  showsErrors: boolean;
  onChange: (text: string) => void;
  onRemove: () => void;
};

function NetworkField({
  position,
  text,
  isAdded,
  isInvalid,
  showsErrors,
  onChange,
  onRemove,
}: NetworkFieldProps) {
  const noteId = useId();
  const network = parseNetwork(text);
  const problem = showsErrors && network.kind === 'invalid' ? network.problem : undefined;
  return (
    <li>
      <div className="flex items-center gap-2.5">
        <Input
          mono
          autoFocus={isAdded} // oxlint-disable-line jsx-a11y/no-autofocus -- it appears by the person's own press
          aria-label={`Network ${position}`}
          aria-invalid={isInvalid || problem !== undefined || undefined}
          aria-describedby={noteId}
          placeholder="203.0.113.0/24"
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          className="max-w-120"
        />
        <span className="w-28 shrink-0 text-micro text-ink-3 max-sm:hidden">
          {network.kind === 'network' && network.size}
        </span>
        <IconButton
          label={`Remove ${text.trim() === '' ? `network ${position}` : text.trim()}`}
          icon={<X />}
          onClick={onRemove}
        />
      </div>
      <FieldNote id={noteId} error={problem} />
    </li>
  );
}
