import { useId } from 'react';
import type { FormFields } from '#components/shell/form/use-form.ts';
import { Code } from '#components/ui/data-display/code.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { WebhookTargets } from '#lib/contract/webhooks/webhook-targets.ts';
import { type DescribedEventType, useDescribedEventTypes } from '../event-types.tsx';
import { hasNewOrigin, type WebhookDraft } from './webhook-draft.ts';
import { ContactFold, FilterFold, HeadersFold, RateFold } from './webhook-folds.tsx';

type WebhookFieldsProps = {
  form: FormFields<WebhookDraft>;
  accountId: string;
  /** Null: not known. */
  targets: WebhookTargets | null;
  /** The webhook that is edited; none for a new one. */
  webhook?: Webhook;
};

export function WebhookFields({ form, accountId, targets, webhook }: WebhookFieldsProps) {
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
      <EventsField draft={draft} error={errors.events} onChange={change} />
      <div className="border-t border-line">
        <FilterFold form={form} webhook={webhook ?? null} />
        <HeadersFold
          form={form}
          hasNewOrigin={webhook !== undefined && hasNewOrigin(draft, webhook)}
        />
        <RateFold form={form} accountId={accountId} webhook={webhook ?? null} />
        <ContactFold form={form} contact={webhook?.contact ?? null} />
      </div>
    </>
  );
}

function privateAddressHelp(targets: WebhookTargets | null): string {
  if (targets === null) return '';
  return targets.allows_private_addresses
    ? ' A private address works only in the networks that the operator of this service allows.'
    : ' Private and local addresses are refused.';
}

type EventsFieldProps = {
  draft: Pick<WebhookDraft, 'events' | 'all_events'>;
  onChange: (change: Partial<WebhookDraft>) => void;
  error: string | undefined;
};

/** All event types, or those that are chosen; types about keys are always chosen. */
function EventsField({ draft, onChange, error }: EventsFieldProps) {
  const types = useDescribedEventTypes();
  const explicit = types.filter(({ isInAll }) => !isInAll);
  const boxes = (shown: readonly DescribedEventType[]) => (
    <TypeBoxes types={shown} chosen={draft.events} onChange={(events) => onChange({ events })} />
  );
  return (
    <RadioCards
      legend="Events"
      name="all_events"
      columns={1}
      error={error}
      value={draft.all_events ? 'all' : 'chosen'}
      onChange={(value) => onChange({ all_events: value === 'all' })}
      cards={[
        {
          value: 'all',
          label: 'All event types, including future ones',
          description: `${types.length - explicit.length} types today. A new type is sent as soon as it exists. Types about API keys are not included: choose them separately.`,
          details: boxes(explicit),
        },
        {
          value: 'chosen',
          label: 'Chosen types',
          description: 'Only the types you tick.',
          ...(!draft.all_events && { aside: `${draft.events.length} of ${types.length}` }),
          details: boxes(types),
        },
      ]}
    />
  );
}

type TypeBoxesProps = {
  types: readonly DescribedEventType[];
  chosen: readonly EventType[];
  onChange: (chosen: EventType[]) => void;
};

function TypeBoxes({ types: shown, chosen, onChange }: TypeBoxesProps) {
  const id = useId();
  const eventTypes = useDescribedEventTypes();
  /** In the order of the catalog, regardless of the order of selection. */
  const withType = (changed: EventType, isChosen: boolean) =>
    eventTypes
      .map(({ type }) => type)
      .filter((type) => (type === changed ? isChosen : chosen.includes(type)));
  return (
    <div className="grid gap-3.5 border-t border-line pt-3 max-sm:gap-2">
      {[...Map.groupBy(shown, ({ group }) => group)].map(([group, types], index) => (
        <div
          key={group}
          role="group"
          // The index, because a group's name has spaces, and this attribute separates ids by
          // spaces.
          aria-labelledby={`${id}-group-${index}`}
          className="grid gap-2.5 max-sm:gap-1"
        >
          <p id={`${id}-group-${index}`} className="text-small text-ink-2">
            {group}
          </p>
          {types.map(({ type, description }) => (
            <Checkbox
              key={type}
              name="events"
              value={type}
              label={description}
              description={
                <Code isSmall className="wrap-anywhere sm:hidden">
                  {type}
                </Code>
              }
              end={<span className="max-sm:hidden">{type}</span>}
              checked={chosen.includes(type)}
              onChange={(event) => onChange(withType(type, event.target.checked))}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
