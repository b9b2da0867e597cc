'use client';

import { CirclePause, CirclePlay, Copy, RotateCw, Trash2 } from 'lucide-react';

import { Menu, MenuItem, MenuLine } from '#components/ui/menu.tsx';
import { Cell, OnceLeft, Row, RowName, Second } from '#components/ui/table.tsx';
import { Tag, TagList } from '#components/ui/tag.tsx';
import { RelativeTime } from '#components/ui/time.tsx';
import { eventKinds } from '#lib/contract/event-kinds.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';

import { menuCellId } from './menu-cell.ts';
import { WebhookStatus } from './webhook-status.tsx';

/** What a person may do to a webhook; a missing act is one their role does not have. */
export type WebhookActs = {
  onRegenerate?: ((webhook: Webhook) => void) | undefined;
  onFinishSetUp?: ((webhook: Webhook) => void) | undefined;
  onSetActive?: ((webhook: Webhook, isActive: boolean) => void) | undefined;
  onDelete?: ((webhook: Webhook) => void) | undefined;
  onCopyId: (webhook: Webhook) => void;
};

type WebhookRowProps = { webhook: Webhook; acts: WebhookActs; isFinishing: boolean };

export function WebhookRow({ webhook, acts, isFinishing }: WebhookRowProps) {
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
        <RowName>{webhook.name}</RowName>
        <span className="flex min-w-0 text-micro text-ink-3">
          <Second mono className="min-w-0">
            <span title={webhook.url}>{withoutScheme(webhook.url)}</span>
          </Second>
          <OnceLeft leaves="first">
            <span className="mt-0.5 block whitespace-nowrap max-sm:hidden">
              &nbsp;· {eventCount(webhook)}
            </span>
          </OnceLeft>
        </span>
      </Cell>
      <Cell onPhone="end">
        <WebhookStatus
          webhook={webhook}
          onFinishSetUp={acts.onFinishSetUp && (() => acts.onFinishSetUp?.(webhook))}
          isFinishing={isFinishing}
        />
        {isPlain(webhook) && (
          <Second className="sm:hidden">
            <LastTriggered webhook={webhook} />
          </Second>
        )}
      </Cell>
      <Cell leaves="first">
        <Events webhook={webhook} />
      </Cell>
      <Cell leaves="second" isNumeric>
        <Failures count={webhook.failure_count} isActive={webhook.is_active} />
      </Cell>
      <Cell>
        <LastTriggered webhook={webhook} />
      </Cell>
      <Cell onPhone="menu" id={menuCellId(webhook)}>
        <span className="-my-1 block">
          <Actions webhook={webhook} acts={acts} />
        </span>
      </Cell>
    </Row>
  );
}

function Events({ webhook }: { webhook: Webhook }) {
  if (webhook.events.length === eventKinds.length)
    return <span className="text-ink-2">All {eventKinds.length} kinds</span>;
  const [only] = webhook.events;
  if (webhook.events.length === 1 && only !== undefined) return <Tag>{only}</Tag>;
  return <TagList values={webhook.events} />;
}

function Failures({ count, isActive }: { count: number; isActive: boolean }) {
  if (count === 0) return <span className="text-ink-3">0</span>;
  return <span className={isActive ? 'font-medium text-warn' : undefined}>{count}</span>;
}

function LastTriggered({ webhook }: { webhook: Webhook }) {
  if (webhook.last_triggered_at === null) return <span className="text-ink-3">Never</span>;
  return <RelativeTime value={webhook.last_triggered_at} />;
}

function Actions({ webhook, acts }: { webhook: Webhook; acts: WebhookActs }) {
  const { onRegenerate, onFinishSetUp, onSetActive, onDelete, onCopyId } = acts;
  const isUnfinished = webhook.status === 'pending_setup';
  return (
    <Menu label={`Actions for ${webhook.name}`}>
      {isUnfinished && onFinishSetUp && (
        <MenuItem icon={<RotateCw />} onSelect={() => onFinishSetUp(webhook)}>
          Finish set-up
        </MenuItem>
      )}
      {!isUnfinished && onRegenerate && (
        <MenuItem icon={<RotateCw />} onSelect={() => onRegenerate(webhook)}>
          {webhook.secret.created_at === null ? 'Generate secret' : 'Regenerate secret'}
        </MenuItem>
      )}
      {!isUnfinished && onSetActive && (
        <MenuItem
          icon={webhook.is_active ? <CirclePause /> : <CirclePlay />}
          onSelect={() => onSetActive(webhook, !webhook.is_active)}
        >
          {webhook.is_active ? 'Pause' : webhook.status === 'paused' ? 'Resume' : 'Activate'}
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => onCopyId(webhook)}>
        Copy webhook ID
      </MenuItem>
      {onDelete && (
        <>
          <MenuLine />
          <MenuItem icon={<Trash2 />} tone="danger" onSelect={() => onDelete(webhook)}>
            Delete {webhook.name}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** Nothing hangs under its status, so a phone's second line has room for the time. */
function isPlain({ status, failure_count: failures, secret }: Webhook): boolean {
  return (
    status === 'active' &&
    failures === 0 &&
    secret.created_at !== null &&
    secret.previous_valid_until === null
  );
}

function eventCount({ events }: Webhook): string {
  return events.length === 1 ? '1 event kind' : `${events.length} event kinds`;
}

function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '');
}
