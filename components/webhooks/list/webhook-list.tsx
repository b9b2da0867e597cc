import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useDeferredValue } from 'react';
import { NoMatch } from '#components/shell/page/no-match.tsx';
import { Toolbar } from '#components/shell/page/toolbar.tsx';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import { webhookStateLabels } from '#components/shell/states/webhook-state.ts';
import { sortOrdersOf } from '#components/ui/data-display/sort-order.ts';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf, formatCount } from '#lib/count.ts';
import type { WebhookActions } from '../actions/webhook-actions.ts';
import { useEventTypes } from '../event-types.tsx';
import { WebhookTable } from './webhook-table.tsx';
import {
  eventChoicesOf,
  isFiltered,
  selectWebhooks,
  sortColumns,
  statusChoices,
  type WebhookView,
} from './webhook-view.ts';

type WebhookListProps = {
  webhooks: readonly Webhook[];
  now: Date;
  accountName: string;
  isBusy: boolean;
  actions: WebhookActions;
  /** The webhook for which an action is running. */
  busyWebhook: Webhook | null;
};

/** Search, filters and the table. */
export function WebhookList({
  webhooks,
  now,
  accountName,
  isBusy,
  actions,
  busyWebhook,
}: WebhookListProps) {
  const [chosen, change] = useWebhookView();
  // The search field and the filters update immediately, and the rows follow.
  const view = useDeferredValue(chosen);
  const eventChoices = eventChoicesOf(useEventTypes());
  const shown = selectWebhooks(webhooks, view, now);
  return (
    <>
      <Toolbar
        count={describeCount(shown.length, webhooks.length)}
        filterCount={Number(chosen.status !== 'any') + Number(chosen.event !== 'any')}
        search={
          <SearchField
            label="Search webhooks"
            placeholder="Search by name, URL or ID"
            value={chosen.q}
            onChange={(q) => change({ q })}
          />
        }
      >
        <Select
          label="Status"
          options={statusOptions}
          value={chosen.status}
          onChange={(status) => change({ status })}
        />
        <Select
          label="Event"
          options={eventChoices.map(toEventOption)}
          value={chosen.event}
          onChange={(event) => change({ event })}
        />
      </Toolbar>
      {shown.length === 0 ? (
        <NoMatch
          title={noMatchTitle(view)}
          hint="Search covers names, URLs, IDs and UUIDs."
          onClear={() => change({ q: '', status: 'any', event: 'any' })}
        />
      ) : (
        <WebhookTable
          webhooks={shown}
          accountName={accountName}
          sort={view.sort}
          onSort={(sort) => change({ sort })}
          isBusy={isBusy}
          now={now}
          actions={actions}
          busyWebhook={busyWebhook}
        />
      )}
    </>
  );
}

const statusLabels: Record<WebhookView['status'], string> = {
  any: 'Any',
  ...webhookStateLabels,
};

const statusOptions = statusChoices.map((value) => ({ value, label: statusLabels[value] }));

function toEventOption(value: WebhookView['event']) {
  return { value, label: value === 'any' ? 'Any' : value };
}

function describeCount(shown: number, all: number): string {
  const counted = countOf(all, 'webhook');
  return shown === all ? counted : `${formatCount(shown)} of ${counted}`;
}

function noMatchTitle(view: WebhookView): string {
  if (!isFiltered(view)) return 'No webhook matches';
  const parts = [
    view.q.trim() === '' ? '' : ` “${view.q.trim()}”`,
    view.status === 'any' ? '' : ` with status ${statusLabels[view.status]}`,
    view.event === 'any' ? '' : ` for ${view.event}`,
  ];
  const words = parts.join('');
  return view.q.trim() === '' ? `No webhook${words}` : `No webhook matches${words}`;
}

/** Search, filters and sort order, stored in the URL so that links, reload and Back keep them. */
function useWebhookView(): [
  view: WebhookView,
  change: (change: Partial<WebhookView> | null) => void,
] {
  const [view, setView] = useQueryStates(parsersFor(useEventTypes()));

  function change(part: Partial<WebhookView> | null) {
    changeAddress(setView(part?.q === undefined ? part : { ...part, q: hideSecrets(part.q) }));
  }

  return [view, change];
}

function parsersFor(types: readonly EventType[]) {
  return {
    q: parseAsString.withDefault(''),
    status: parseAsStringLiteral(statusChoices).withDefault('any'),
    event: parseAsStringLiteral(eventChoicesOf(types)).withDefault('any'),
    sort: parseAsStringLiteral(sortOrdersOf(sortColumns)).withDefault('name'),
  };
}
