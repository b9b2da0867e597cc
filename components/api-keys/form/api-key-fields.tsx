'use client';

import type { ReactNode } from 'react';

import type { FormFields } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { type KeyType, keyTypes, scopesOfType } from '#lib/contract/api-keys/key-types.ts';

import { type ApiKeyDraft, draftScopes } from './api-key-draft.ts';
import { DescriptionFields, RateLimitField, SelfRotationField } from './detail-fields.tsx';
import { ExpiryPicker } from './fields/expiry-picker.tsx';
import { KeyTypeLabel, keyTypeTable } from '../key-type.tsx';
import { NetworkFields } from './fields/network-fields.tsx';
import { ResponsibleField } from './responsible-field.tsx';
import { ScopePicker } from './fields/scope-picker.tsx';

type ApiKeyFieldsProps = {
  form: FormFields<ApiKeyDraft>;
  now: Date;
  /**
   * False when an existing key is edited: its type cannot change, and a full key's scopes can be
   * limited.
   */
  isNew?: boolean;
  accountId: string;
  /** Who is responsible for an existing key. */
  responsible?: ApiKey['responsible'];
  /** Below the name. */
  nameWarning?: ReactNode;
};

/** The fields of the key form, for new and for existing keys. */
export function ApiKeyFields({
  form,
  now,
  isNew = true,
  accountId,
  responsible = null,
  nameWarning,
}: ApiKeyFieldsProps) {
  const { values: draft, change, errors, hasTried } = form;
  const offered = scopesOfType(draft.type);
  return (
    <>
      <div className="grid gap-3">
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
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        {nameWarning}
      </div>
      <DescriptionFields form={form} />
      <ResponsibleField form={form} accountId={accountId} current={responsible} />
      {isNew ? (
        <RadioCards
          legend="Type"
          name="type"
          cards={keyTypes.map((value) => ({ value, ...keyTypeTable[value] }))}
          value={draft.type}
          onChange={(type) => change({ type })}
          error={errors.type}
        />
      ) : (
        <FixedType type={draft.type} />
      )}
      {!isNew && draft.type === 'full' && (
        <Segmented
          legend="Scopes"
          fit
          segments={scopeChoices}
          value={draft.hasAllScopes ? 'all' : 'chosen'}
          onChange={(choice) => change({ hasAllScopes: choice === 'all' })}
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
            change({
              scopes: [...draft.scopes.filter((scope) => !offered.includes(scope)), ...ticked],
            })
          }
          error={errors.scopes}
        />
      )}
      <ExpiryPicker
        value={draft.expires_at}
        onChange={(expiry) => change({ expires_at: expiry })}
        now={now}
        error={errors.expires_at}
      />
      <NetworkFields
        value={draft.allowed_cidrs}
        onChange={(networks) => change({ allowed_cidrs: networks })}
        showsErrors={hasTried}
        error={errors.allowed_cidrs}
      />
      <RateLimitField form={form} />
      {!isNew && <SelfRotationField form={form} />}
    </>
  );
}

const scopeChoices = [
  { value: 'all', label: 'All scopes' },
  { value: 'chosen', label: 'Selected scopes' },
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
