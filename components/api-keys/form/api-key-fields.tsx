'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';

import type { FormFields } from '#components/shell/form/use-form.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Field, FieldNote } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { type KeyType, keyTypes, scopesOfType } from '#lib/contract/api-keys/key-types.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { formatResponsible } from '../format-responsible.ts';
import { KeyTypeLabel, keyTypeTable } from '../key-type.tsx';
import { type ApiKeyDraft, draftScopes } from './api-key-draft.ts';
import { expiresAt, type Expiry, expiryChoicesFor, localDateInDays } from './fields/expiry.ts';
import { NetworkFields } from './fields/network-fields.tsx';
import { ScopePicker } from './fields/scope-picker.tsx';

type ApiKeyFieldsProps = {
  form: FormFields<ApiKeyDraft>;
  now: Date;
  /** False for an existing key: its type cannot change, and a full key's scopes can be limited. */
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
  return (
    <>
      <div className="grid gap-3">
        <Field
          label="Name"
          help="Describe where it runs. Your team sees this name in the list and in the audit log."
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
              ? 'Every scope, including future ones.'
              : 'Only the scopes selected below.'
          }
          className={draft.hasAllScopes ? '' : '-mb-3'}
        />
      )}
      {(draft.type !== 'full' || !draft.hasAllScopes) && (
        <ScopePicker
          offered={scopesOfType(draft.type)}
          value={draftScopes(draft)}
          onChange={(ticked) => change({ scopes: { ...draft.scopes, [draft.type]: ticked } })}
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
      <DescriptionFields form={form} />
      <ResponsibleField form={form} accountId={accountId} current={responsible} />
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
        The type cannot be changed. To use another type, create a new key.
      </p>
    </div>
  );
}

type ResponsibleFieldProps = {
  form: FormFields<ApiKeyDraft>;
  accountId: string;
  /** Who is responsible for the key that is edited. */
  current: ApiKey['responsible'];
};

/** Whom to ask about the key: a member of the account. */
function ResponsibleField({ form, accountId, current }: ResponsibleFieldProps) {
  const { values: draft, change, errors } = form;
  const { data: members = [] } = useQuery(routeQuery(accountId, 'listMembers'));
  const isListed = current === null || members.some(({ id }) => id === current.id);
  return (
    <Field
      label="Responsible person"
      optional
      help="The person to contact before this key is rotated or revoked. This does not give them access."
      error={errors.responsible_id}
    >
      <Select
        name="responsible_id"
        className="max-w-90"
        options={[
          { value: '', label: 'Nobody' },
          ...(isListed ? [] : [{ value: current.id, label: formatResponsible(current) }]),
          ...members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
        ]}
        value={draft.responsible_id}
        onChange={(id) => change({ responsible_id: id })}
      />
    </Field>
  );
}

/** What people know the key by besides its name: its description and its tags. */
function DescriptionFields({ form }: { form: FormFields<ApiKeyDraft> }) {
  const { values: draft, change, errors } = form;
  return (
    <>
      <Field
        label="Description"
        optional
        help="What uses the key, and what would stop working without it. Shown before it is rotated or revoked."
        error={errors.description}
      >
        <TextArea
          name="description"
          className="max-w-120"
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <Field
        label="Tags"
        optional
        help="Up to 10, separated by commas, such as “production, checkout”."
        error={errors.tags}
      >
        <Input
          name="tags"
          className="max-w-90"
          value={draft.tags}
          autoComplete="off"
          onChange={(event) => change({ tags: event.target.value })}
        />
      </Field>
    </>
  );
}

/** The key's own limit of calls. */
function RateLimitField({ form }: { form: FormFields<ApiKeyDraft> }) {
  const { values: draft, change, errors } = form;
  return (
    <Field
      label="Calls per minute"
      optional
      help="A rate limit for this key only. It cannot exceed the limit for all keys of the account together. Leave it empty to use the default limit."
      error={errors.rate_limit_per_minute}
    >
      <Input
        name="rate_limit_per_minute"
        className="max-w-40"
        inputMode="numeric"
        value={draft.rate_limit_per_minute}
        autoComplete="off"
        onChange={(event) => change({ rate_limit_per_minute: event.target.value })}
      />
    </Field>
  );
}

/** Whether an existing key may give itself a new token. */
function SelfRotationField({ form }: { form: FormFields<ApiKeyDraft> }) {
  const { values: draft, change } = form;
  return (
    <Switch
      label="May rotate itself"
      description="A program that has the newest token, such as a deploy script, can replace it with a new one. Owners and admins get an email each time."
      className="max-w-120"
      checked={draft.may_rotate_itself}
      onChange={(event) => change({ may_rotate_itself: event.target.checked })}
    />
  );
}

type ExpiryPickerProps = {
  value: Expiry;
  onChange: (value: Expiry) => void;
  now: Date;
  error: string | undefined;
};

function ExpiryPicker({ value, onChange, now, error }: ExpiryPickerProps) {
  const id = useId();
  const end = expiresAt(value, now);
  return (
    <div>
      <Segmented
        legend="Expires"
        fit
        segments={expiryChoicesFor(value)}
        value={value.choice}
        onChange={(choice) =>
          onChange({
            ...value,
            choice,
            date: value.date === '' ? localDateInDays(now, 90) : value.date,
          })
        }
        // The error says the same as the help for a missing or past date.
        help={error === undefined ? <ExpiryHelp end={end} /> : undefined}
      />
      {value.choice === 'date' && (
        <Field label="Date and time" className="mt-3 max-w-72" error={error}>
          <Input
            type="datetime-local"
            value={value.date}
            min={localDateInDays(now, 0)}
            onChange={(event) => onChange({ ...value, date: event.target.value })}
          />
        </Field>
      )}
      {value.choice !== 'date' && <FieldNote id={`${id}-note`} error={error} />}
    </div>
  );
}

function ExpiryHelp({ end }: { end: Date | null | undefined }) {
  if (end === null) return null;
  if (end === undefined) return 'Choose a date and time in the future.';
  return (
    <>
      On <ExactTime value={end.toISOString()} />. After that, calls with it are rejected with 401.
    </>
  );
}
