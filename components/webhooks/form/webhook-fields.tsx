'use client';

import type { FormFields } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

import { EventTypesField } from './event-types-field.tsx';
import type { WebhookTargets } from '#lib/contract/webhooks/webhook-targets.ts';

import type { WebhookDraft } from './webhook-draft.ts';

type WebhookFieldsProps = {
  form: FormFields<WebhookDraft>;
  /** Null: not known. */
  targets: WebhookTargets | null;
};

/** The fields of the webhook form, for new and for existing webhooks. */
export function WebhookFields({ form, targets }: WebhookFieldsProps) {
  const { values: draft, change, errors } = form;
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
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field
        label="URL"
        help={`Where your server accepts POST requests.${privateAddressHelp(targets)}`}
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
          onChange={(event) => change({ url: event.target.value })}
        />
      </Field>
      <EventTypesField
        chosen={draft.events}
        error={errors.events}
        onChange={(events) => change({ events })}
      />
    </>
  );
}

function privateAddressHelp(targets: WebhookTargets | null): string {
  if (targets === null) return '';
  return targets.allows_private_addresses
    ? ' A private address works only in the networks that the operator of this service allows.'
    : ' Private and local addresses are refused.';
}
