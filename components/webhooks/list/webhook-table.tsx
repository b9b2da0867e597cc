import { CirclePause, CirclePlay } from 'lucide-react';
import { useRef } from 'react';
import { Menu, MenuItem } from '#components/ui/overlays/menu.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { columnSort, type SortOrder } from '#components/ui/data-display/sort-order.ts';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { RowName, SecondLine, WhenColumnHidden } from '#components/ui/data-display/table.tsx';
import { Tag, TagList } from '#components/ui/data-display/tag.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { isFailing, webhookState } from '#components/shell/states/webhook-state.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { UrlLine } from '../url.tsx';
import type { WebhookActions } from '../actions/webhook-actions.ts';
import { useEventTypes } from '../event-types.tsx';
import { WebhookMenuItems } from '../actions/webhook-menu-items.tsx';
import { webhookLinkId, webhookPath } from '../webhook-path.ts';
import { WebhookStatus } from './webhook-status.tsx';
import type { SortColumn } from './webhook-view.ts';
import { webhookColumns } from './webhook-columns.tsx';

type Context = {
  now: Date;
  actions: WebhookActions;
  /** The webhook for which an action is running. */
  busyWebhook: Webhook | null;
};

type WebhookTableProps = Context & {
  webhooks: readonly Webhook[];
  accountName: string;
  sort: SortOrder<SortColumn>;
  onSort: (sort: SortOrder<SortColumn>) => void;
  isBusy: boolean;
};

export function WebhookTable({
  webhooks,
  accountName,
  sort,
  onSort,
  isBusy,
  now,
  actions,
  busyWebhook,
}: WebhookTableProps) {
  return (
    <DataTable
      caption={`Webhooks of ${accountName}`}
      columns={webhookColumns}
      cells={cells}
      sortOf={(column: SortColumn) =>
        columnSort(column, { order: sort, onSort, descendingFirst: ['failures', 'triggered'] })
      }
      isBusy={isBusy}
      rows={webhooks}
      context={{ now, actions, busyWebhook }}
      rowProps={({ id }) => ({ key: id })}
    />
  );
}

const cells: Cells<typeof webhookColumns, Webhook, Context> = {
  name: (webhook) => (
    <>
      <RowName>
        <PageLink id={webhookLinkId(webhook)} href={webhookPath(webhook)} title={webhook.name}>
          {webhook.name}
        </PageLink>
      </RowName>
      <span className="flex min-w-0 text-micro text-ink-3">
        <SecondLine mono className="min-w-0">
          <UrlLine url={webhook.url} />
        </SecondLine>
        <WhenColumnHidden hideBelow="880px">
          <span className="mt-0.5 block whitespace-nowrap max-sm:hidden">
            &nbsp;·{' '}
            {webhook.all_events ? 'all event types' : countOf(webhook.events.length, 'event type')}
          </span>
        </WhenColumnHidden>
      </span>
    </>
  ),
  status: (webhook, { now, actions, busyWebhook }) => (
    <>
      <WebhookStatus
        webhook={webhook}
        now={now}
        onFinishSetUp={actions.onFinishSetUp}
        isBusy={busyWebhook?.id === webhook.id}
      />
      {isPlain(webhook, now) && (
        <SecondLine className="sm:hidden">
          <LastTriggered webhook={webhook} />
        </SecondLine>
      )}
    </>
  ),
  events: (webhook) => <Events webhook={webhook} />,
  failures: (webhook, { now }) =>
    webhook.failure_count === 0 ? (
      <span className="text-ink-3">0</span>
    ) : (
      <span className={isFailing(webhook, now) ? 'font-medium text-warn' : undefined}>
        {formatCount(webhook.failure_count)}
      </span>
    ),
  triggered: (webhook) => <LastTriggered webhook={webhook} />,
  actions: (webhook, { actions }) => (
    <span className="-my-1 block">
      <Actions webhook={webhook} actions={actions} />
    </span>
  ),
};

function Events({ webhook }: { webhook: Webhook }) {
  const eventTypes = useEventTypes();
  if (webhook.all_events) return <span className="text-ink-2">All event types</span>;
  if (webhook.events.length === eventTypes.length)
    return <span className="text-ink-2">All {eventTypes.length} types</span>;
  const [only] = webhook.events;
  if (webhook.events.length === 1 && only !== undefined) return <Tag>{only}</Tag>;
  return <TagList values={webhook.events} />;
}

function LastTriggered({ webhook }: { webhook: Webhook }) {
  if (webhook.last_triggered_at === null) {
    return (
      <span className="text-ink-3">
        Never<span className="sm:hidden"> triggered</span>
      </span>
    );
  }
  return <RelativeTime value={webhook.last_triggered_at} />;
}

function Actions({ webhook, actions }: { webhook: Webhook; actions: WebhookActions }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { onFinishSetUp, onPause, onResume } = actions;
  const isUnfinished = webhook.status === 'pending_setup';
  return (
    <Menu label={`Actions for ${webhook.name}`} triggerRef={trigger}>
      {isUnfinished && onFinishSetUp && (
        <MenuItem icon={<CirclePlay />} onSelect={() => onFinishSetUp(webhook, trigger.current)}>
          Finish set-up
        </MenuItem>
      )}
      {!isUnfinished && webhook.is_active && onPause && (
        <MenuItem icon={<CirclePause />} onSelect={() => onPause(webhook, trigger.current)}>
          Pause
        </MenuItem>
      )}
      {!isUnfinished && !webhook.is_active && onResume && (
        <MenuItem icon={<CirclePlay />} onSelect={() => onResume(webhook, trigger.current)}>
          Resume
        </MenuItem>
      )}
      <WebhookMenuItems webhook={webhook} actions={actions} opener={trigger} />
    </Menu>
  );
}

/** Whether the status has no second line, so that a phone can show the last use there. */
function isPlain(webhook: Webhook, now: Date): boolean {
  const { was_shown: wasShown, previous_valid_until: previousUntil } = webhook.secret;
  return webhookState(webhook, now) === 'active' && wasShown && previousUntil === null;
}
