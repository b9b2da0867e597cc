'use client';

import { useId } from 'react';

import type { FormFields } from '#components/shell/form/use-form.ts';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { WebhookTargets } from '#lib/contract/webhooks/webhook-targets.ts';

import { useDescribedEventTypes } from '../event-types.tsx';
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
        help="Describe what receives the events. Your team sees this name in the list."
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

type EventTypesFieldProps = {
  chosen: readonly EventType[];
  onChange: (chosen: EventType[]) => void;
  error: string | undefined;
};

/** A checkbox for each event type, with its description. */
function EventTypesField({ chosen, onChange, error }: EventTypesFieldProps) {
  const noteId = useId();
  const eventTypes = useDescribedEventTypes();
  /** In the order of the catalog, regardless of the order of selection. */
  const withType = (changed: EventType, isChosen: boolean) =>
    eventTypes
      .map(({ type }) => type)
      .filter((type) => (type === changed ? isChosen : chosen.includes(type)));
  return (
    <FieldGroup
      aria-invalid={error === undefined ? undefined : true}
      legend="Events"
      hint={`${chosen.length} of ${eventTypes.length}`}
      error={error}
      noteId={noteId}
    >
      <div
        className={cn(
          'grid gap-3.5 rounded-3 border px-3.5 py-3 max-sm:gap-2 max-sm:py-2',
          error === undefined ? 'border-line-strong' : 'border-bad-mark',
        )}
      >
        {[...Map.groupBy(eventTypes, ({ group }) => group)].map(([group, types], index) => (
          <div
            key={group}
            role="group"
            // The index, because a group's name has spaces, and this attribute separates ids by
            // spaces.
            aria-labelledby={`${noteId}-group-${index}`}
            className="grid gap-2.5 max-sm:gap-1"
          >
            <p id={`${noteId}-group-${index}`} className="text-small text-ink-3">
              {group}
            </p>
            {types.map(({ type, description }) => (
              <Checkbox
                key={type}
                name="events"
                value={type}
                label={description}
                description={
                  <span translate="no" className="code-micro wrap-anywhere sm:hidden">
                    {type}
                  </span>
                }
                end={<span className="max-sm:hidden">{type}</span>}
                checked={chosen.includes(type)}
                onChange={(event) => onChange(withType(type, event.target.checked))}
              />
            ))}
          </div>
        ))}
      </div>
    </FieldGroup>
  );
}
