'use client';

import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { type KeyType, keyTypes, scopesOfType } from '#lib/contract/key-types.ts';

import { type ApiKeyDraft, type DraftErrors, draftScopes } from './api-key-draft.ts';
import { ExpiryPicker } from './expiry-picker.tsx';
import { KeyTypeLabel, keyTypeTable } from '../key-type.tsx';
import { NetworkFields } from './network-fields.tsx';
import { ScopePicker } from './scope-picker.tsx';

type ApiKeyFieldsProps = {
  draft: ApiKeyDraft;
  onChange: (part: Partial<ApiKeyDraft>) => void;
  errors: DraftErrors;
  /** Whether the form was submitted once. From then on invalid networks are marked while typing. */
  hasTried: boolean;
  now: Date;
  /**
   * False when an existing key is edited: its type cannot change, and a full key's scopes can be
   * limited.
   */
  isNew?: boolean;
};

export function ApiKeyFields({
  draft,
  onChange,
  errors,
  hasTried,
  now,
  isNew = true,
}: ApiKeyFieldsProps) {
  const offered = scopesOfType(draft.type);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Field
        label="Name"
        help="Say where it runs. Your team sees this name in the list and in the audit log."
        error={errors.name}
      >
        <Input
          name="name"
          className="max-w-90"
          value={draft.name}
          autoComplete="off"
          required
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      {isNew ? (
        <RadioCards
          legend="Type"
          name="type"
          cards={keyTypes.map((value) => ({ value, ...keyTypeTable[value] }))}
          value={draft.type}
          onChange={(type) => onChange({ type })}
          error={errors.type}
        />
      ) : (
        <FixedType type={draft.type} />
      )}
      {!isNew && draft.type === 'full' && (
        <Segmented
          legend="May use"
          fit
          segments={SCOPE_CHOICES}
          value={draft.hasAllScopes ? 'all' : 'chosen'}
          onChange={(choice) => onChange({ hasAllScopes: choice === 'all' })}
          help={
            draft.hasAllScopes
              ? 'Every scope, today’s and future ones.'
              : 'Only the scopes ticked below.'
          }
          className={draft.hasAllScopes ? '' : '-mb-3'}
        />
      )}
      {(draft.type !== 'full' || !draft.hasAllScopes) && (
        <ScopePicker
          offered={offered}
          value={draftScopes(draft)}
          onChange={(ticked) =>
            onChange({
              scopes: [...draft.scopes.filter((scope) => !offered.includes(scope)), ...ticked],
            })
          }
          error={errors.scopes}
        />
      )}
      <ExpiryPicker
        value={draft.expiry}
        onChange={(expiry) => onChange({ expiry })}
        now={now}
        error={errors.expires_at}
      />
      <NetworkFields
        value={draft.networks}
        onChange={(networks) => onChange({ networks })}
        showsErrors={hasTried}
        error={errors.allowed_cidrs}
      />
    </div>
  );
}

const SCOPE_CHOICES = [
  { value: 'all', label: 'All scopes' },
  { value: 'chosen', label: 'Chosen scopes' },
] as const;

function FixedType({ type }: { type: KeyType }) {
  return (
    <div>
      <p className="mb-1.5 text-small font-medium">Type</p>
      <KeyTypeLabel type={type} />
      <p className="mt-1.5 text-small text-pretty text-ink-3">
        It never changes. For another type, create a key.
      </p>
    </div>
  );
}
