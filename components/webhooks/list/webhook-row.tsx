'use client';

import { CirclePause, CirclePlay } from 'lucide-react';
import { useRef } from 'react';

import { Menu, MenuItem } from '#components/ui/overlays/menu.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import {
  Cell,
  WhenColumnHidden,
  Row,
  RowName,
  SecondLine,
} from '#components/ui/data-display/table.tsx';
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

type WebhookRowProps = {
  webhook: Webhook;
  now: Date;
  actions: WebhookActions;
  /** An action is running for the webhook. */
  isBusy: boolean;
};

export function WebhookRow({ webhook, now, actions, isBusy }: WebhookRowProps) {
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
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
              &nbsp;· {describeEventTypes(webhook)}
            </span>
          </WhenColumnHidden>
        </span>
      </Cell>
      <Cell onPhone="end">
        <WebhookStatus
          webhook={webhook}
          now={now}
          onFinishSetUp={actions.onFinishSetUp}
          isBusy={isBusy}
        />
        {isPlain(webhook, now) && (
          <SecondLine className="sm:hidden">
            <LastTriggered webhook={webhook} />
          </SecondLine>
        )}
      </Cell>
      <Cell hideBelow="880px">
        <Events webhook={webhook} />
      </Cell>
      <Cell hideBelow="740px" isNumeric>
        <Failures count={webhook.failure_count} isWarning={isFailing(webhook, now)} />
      </Cell>
      <Cell>
        <LastTriggered webhook={webhook} />
      </Cell>
      <Cell onPhone="menu">
        <span className="-my-1 block">
          <Actions webhook={webhook} actions={actions} />
        </span>
      </Cell>
    </Row>
  );
}

function Events({ webhook }: { webhook: Webhook }) {
  const eventTypes = useEventTypes();
  if (webhook.events.length === eventTypes.length)
    return <span className="text-ink-2">All {eventTypes.length} types</span>;
  const [only] = webhook.events;
  if (webhook.events.length === 1 && only !== undefined) return <Tag>{only}</Tag>;
  return <TagList values={webhook.events} />;
}

function Failures({ count, isWarning }: { count: number; isWarning: boolean }) {
  if (count === 0) return <span className="text-ink-3">0</span>;
  return (
    <span className={isWarning ? 'font-medium text-warn' : undefined}>{formatCount(count)}</span>
  );
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

function describeEventTypes({ events }: Webhook): string {
  return countOf(events.length, 'event type');
}
