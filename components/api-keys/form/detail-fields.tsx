'use client';

import type { FormFields } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';

import type { ApiKeyDraft } from './api-key-draft.ts';

/** What people know the key by besides its name: its description and its tags. */
export function DescriptionFields({ form }: { form: FormFields<ApiKeyDraft> }) {
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
export function RateLimitField({ form }: { form: FormFields<ApiKeyDraft> }) {
  const { values: draft, change, errors } = form;
  return (
    <Field
      label="Calls per minute"
      optional
      help="The key’s own rate limit. It cannot be higher than what all keys of the account may call together. Leave it empty for the limit that every key has."
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
export function SelfRotationField({ form }: { form: FormFields<ApiKeyDraft> }) {
  const { values: draft, change } = form;
  return (
    <Switch
      label="May rotate itself"
      description="A program that has the newest token can replace it with a new one, such as a deploy script. Owners and admins get an email each time."
      className="max-w-120"
      checked={draft.may_rotate_itself}
      onChange={(event) => change({ may_rotate_itself: event.target.checked })}
    />
  );
}
