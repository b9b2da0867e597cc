import { Ban, Check, Clock, Pencil, Send } from 'lucide-react';

import { FormSummary, SummaryItem } from '#components/shell/form/form-summary.tsx';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { UpdateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';

import { useEventTypes } from '../event-types.tsx';

type WebhookChangesProps = { webhook: Webhook; changes: UpdateWebhookInput };

/** Summarizes in sentences what the form's current values mean. */
export function WebhookChanges({ webhook, changes }: WebhookChangesProps) {
  const { name, url, events } = changes;
  const isUntouched = Object.keys(changes).length === 0;
  return (
    <FormSummary title="What changes">
      {isUntouched && <SummaryItem icon={<Check />}>Nothing yet</SummaryItem>}
      {name !== undefined && <SummaryItem icon={<Pencil />}>The name</SummaryItem>}
      {url !== undefined && (
        <SummaryItem icon={<Send />}>
          All further attempts go to the new URL, retries included
        </SummaryItem>
      )}
      {events && <TypeChanges before={webhook.events} after={events} />}
      {!isUntouched && !webhook.is_active && (
        <SummaryItem icon={<Clock />}>
          It stays inactive until{' '}
          {webhook.status === 'pending_setup' ? 'its set-up is finished' : 'it is resumed'}
        </SummaryItem>
      )}
    </FormSummary>
  );
}

type TypeChangesProps = { before: Webhook['events']; after: Webhook['events'] };

function TypeChanges({ before, after }: TypeChangesProps) {
  const eventTypes = useEventTypes();
  const added = eventTypes.filter((type) => after.includes(type) && !before.includes(type));
  const removed = eventTypes.filter((type) => before.includes(type) && !after.includes(type));
  return (
    <>
      {added.map((type) => (
        <SummaryItem key={type} icon={<Check />}>
          Sent from now on:{' '}
          <span translate="no" className="code-micro">
            {type}
          </span>
        </SummaryItem>
      ))}
      {removed.map((type) => (
        <SummaryItem key={type} icon={<Ban />}>
          No longer sent:{' '}
          <span translate="no" className="code-micro">
            {type}
          </span>
        </SummaryItem>
      ))}
    </>
  );
}
