'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Ban, Check, Clock, Filter, Gauge, Mail, Pencil, Plus, Send } from 'lucide-react';
import { EditForm } from '#components/shell/form/edit-form.tsx';
import { FormSummary, SummaryItem } from '#components/shell/form/form-summary.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveForm } from '#components/shell/leaving/use-leave-form.ts';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { updateWebhook } from '#lib/actions/webhooks.ts';
import { countOf } from '#lib/count.ts';
import type { UpdateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { WebhookTargets } from '#lib/contract/webhooks/webhook-targets.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { useDescribedEventTypes, useEventTypes } from '../event-types.tsx';
import { editLinkId, webhookPath } from '../webhook-path.ts';
import { draftFromWebhook, toUpdateInput } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

type EditWebhookProps = { webhook: Webhook; accountId: string; targets: WebhookTargets | null };

/** Edits a webhook. It sends only what was changed, so that two people can edit together. */
export function EditWebhook({ webhook, accountId, targets }: EditWebhookProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const leaveForm = useLeaveForm();
  const focusAfterNavigation = useFocusAfterNavigation();
  const params = { webhook: webhook.uuid };
  const form = useForm({
    initial: draftFromWebhook(webhook),
    send: (draft) => updateWebhook({ params, body: toUpdateInput(draft, webhook) }),
    onDone: async ({ data: saved }) => {
      void queryClient.invalidateQueries(queriesAbout('webhooks', accountId));
      queryClient.setQueryData(routeQuery(accountId, 'getWebhook', { params }).queryKey, saved);
      toast(`${saved.name} saved`);
      const settings = webhookPath(webhook, 'settings');
      focusAfterNavigation(editLinkId, settings);
      await leaveForm(settings);
    },
  });
  const changes = toUpdateInput(form.values, webhook);
  const { all_events: isAll, events } = form.values;
  const after = useDescribedEventTypes()
    .filter(({ type, isInAll }) => (isAll && isInAll) || events.includes(type))
    .map(({ type }) => type);

  return (
    <EditForm
      form={form}
      noun="webhook"
      href={webhookPath(webhook, 'settings')}
      isUntouched={Object.keys(changes).length === 0}
      summary={<WebhookChanges webhook={webhook} changes={changes} after={after} />}
    >
      <WebhookFields form={form} accountId={accountId} targets={targets} webhook={webhook} />
    </EditForm>
  );
}

type WebhookChangesProps = {
  webhook: Webhook;
  changes: UpdateWebhookInput;
  /** The event types that it subscribes to afterwards. */
  after: Webhook['events'];
};

/** Summarizes in sentences what the form's current values mean. */
function WebhookChanges({ webhook, changes, after }: WebhookChangesProps) {
  const { name, url, all_events: all } = changes;
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
      {all !== undefined && all !== webhook.all_events && (
        <SummaryItem icon={all ? <Check /> : <Ban />}>
          {all
            ? 'All event types are sent, also those that are added later'
            : 'Event types that are added later are not sent'}
        </SummaryItem>
      )}
      {all !== undefined && <TypeChanges before={webhook.events} after={after} />}
      {changes.filter !== undefined && (
        <SummaryItem icon={<Filter />}>
          {changes.filter === null
            ? 'Every event is sent, without a filter'
            : 'The filter applies to events that happen after saving, and to replays'}
        </SummaryItem>
      )}
      {changes.max_deliveries_per_second !== undefined && (
        <SummaryItem icon={<Gauge />}>{rateChange(webhook, changes)}</SummaryItem>
      )}
      {changes.contact_email !== undefined && (
        <SummaryItem icon={<Mail />}>
          {changes.contact_email === null
            ? 'Only owners and admins are told of failures'
            : `${changes.contact_email} gets a link to confirm the address`}
        </SummaryItem>
      )}
      {changes.headers && <HeaderChanges before={webhook.header_names} after={changes.headers} />}
      {!isUntouched && !webhook.is_active && (
        <SummaryItem icon={<Clock />}>
          It stays inactive until{' '}
          {webhook.status === 'pending_setup' ? 'its set-up is finished' : 'it is resumed'}
        </SummaryItem>
      )}
    </FormSummary>
  );
}

function rateChange(webhook: Webhook, { max_deliveries_per_second: rate }: UpdateWebhookInput) {
  const before = webhook.max_deliveries_per_second;
  if (!rate) return 'Deliveries are sent as fast as your server responds';
  return `${countOf(rate, 'delivery', 'deliveries')} per second at most; ${before === null ? 'no limit' : before} before`;
}

type HeaderChangesProps = { before: readonly string[]; after: Record<string, string | null> };

function HeaderChanges({ before, after }: HeaderChangesProps) {
  const removed = before.filter((name) => !(name in after));
  return (
    <>
      {Object.entries(after).map(([name, value]) =>
        value === null || name === '' ? null : (
          <SummaryItem key={name} icon={<Plus />}>
            Header <Code isSmall>{name}</Code> is {before.includes(name) ? 'replaced' : 'added'}
          </SummaryItem>
        ),
      )}
      {removed.map((name) => (
        <SummaryItem key={name} icon={<Ban />}>
          Header <Code isSmall>{name}</Code> is removed
        </SummaryItem>
      ))}
    </>
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
          Sent from now on: <Code isSmall>{type}</Code>
        </SummaryItem>
      ))}
      {removed.map((type) => (
        <SummaryItem key={type} icon={<Ban />}>
          No longer sent: <Code isSmall>{type}</Code>
        </SummaryItem>
      ))}
    </>
  );
}
