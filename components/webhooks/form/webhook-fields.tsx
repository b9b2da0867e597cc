'use client';

import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

import { EventTypesField } from './event-types-field.tsx';
import type { DraftErrors, WebhookDraft } from './webhook-draft.ts';

type WebhookFieldsProps = {
  draft: WebhookDraft;
  onChange: (part: Partial<WebhookDraft>) => void;
  errors: DraftErrors;
};

export function WebhookFields({ draft, onChange, errors }: WebhookFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        help="Say what receives the events. Your team sees this name in the list."
        error={errors.name}
      >
        <Input
          name="name"
          value={draft.name}
          autoComplete="off"
          required
          className="sm:max-w-90"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <Field
        label="Address"
        help="Where your server takes POST requests. Private and local addresses are refused."
        error={errors.url}
      >
        <Input
          name="url"
          type="url"
          mono
          value={draft.url}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          required
          onChange={(event) => onChange({ url: event.target.value })}
        />
      </Field>
      <EventTypesField
        chosen={draft.events}
        error={errors.events}
        onChange={(events) => onChange({ events })}
      />
    </>
  );
}
