// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { CirclePause, Ellipsis, Send } from 'lucide-react';
import { useRef } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Menu } from '#components/ui/overlays/menu.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { isShortUrl } from '#lib/contract/webhooks/short-url.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';
import { Status } from '#components/ui/data-display/status.tsx';
import {
  webhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import { UrlLine } from '../url.tsx';
import type { WebhookActions } from '../actions/webhook-actions.ts';
import { useEventTypes } from '../event-types.tsx';
import { WebhookMenuItems } from '../actions/webhook-menu-items.tsx';
import { webhooksPath } from '../webhook-path.ts';
import { activationButtonId } from './activation-button-id.ts';

type WebhookHeadingProps = {
  /** The name of a webhook that was deleted; undefined if it was not. */
  nameOfDeleted: string | undefined;
  /** Undefined: it could not be read. No actions are shown then. */
  webhook: Webhook | undefined;
  now: Date;
  actions: WebhookActions;
  isBusy: boolean;
};

export function WebhookHeading({
  nameOfDeleted,
  webhook,
  now,
  actions,
  isBusy,
}: WebhookHeadingProps) {
  return (
    <PageHeading
      crumb={{ href: webhooksPath, label: 'Webhooks' }}
      title={webhook?.name ?? nameOfDeleted ?? 'Webhook'}
      sentence={webhook && <Summary webhook={webhook} now={now} />}
      actions={webhook && <Actions webhook={webhook} actions={actions} isBusy={isBusy} />}
    />
  );
}

function Summary({ webhook, now }: { webhook: Webhook; now: Date }) {
  const { name, url, last_triggered_at: triggered } = webhook;
  const typeCount = useEventTypes().length;
  return (
    <>
      {/* `w-0 min-w-full`: a long URL must not widen the line around it. */}
      <span className="flex w-0 min-w-full items-center gap-1">
        <Code className="min-w-0 leading-5">
          <UrlLine url={url} hasScheme />
        </Code>
        {!isShortUrl(url) && (
          <CopyButton text={url} label={`Copy URL of ${name}`} className="-my-1" />
        )}
      </span>
      <span className="mt-1 flex flex-wrap gap-x-6 gap-y-1">
        <WebhookStatusLabel webhook={webhook} now={now} />
        <span>{describeEventTypes(webhook, typeCount)}</span>
        <span className="text-ink-3">
          {triggered === null ? (
            'Never triggered'
          ) : (
            <>
              Triggered <RelativeTime isMidSentence value={triggered} />
            </>
          )}
        </span>
      </span>
    </>
  );
}

function describeEventTypes({ events }: Webhook, typeCount: number): string {
  if (events.length === typeCount) return `All ${typeCount} event types`;
  return countOf(events.length, 'event type');
}

type ActionsProps = { webhook: Webhook; actions: WebhookActions; isBusy: boolean };

function Actions({ webhook, actions, isBusy }: ActionsProps) {
  const more = useRef<HTMLButtonElement>(null);
  const label = `Actions for ${webhook.name}`;
  return (
    <>
      <SendTest webhook={webhook} actions={actions} />
      <Pause webhook={webhook} actions={actions} isBusy={isBusy} />
      <Menu
        label={label}
        triggerRef={more}
        trigger={<IconButton label={label} icon={<Ellipsis />} variant="secondary" size="normal" />}
      >
        <WebhookMenuItems webhook={webhook} actions={actions} opener={more} />
      </Menu>
    </>
  );
}

/** A paused or deactivated webhook is sent tests too. */
function SendTest({ webhook, actions: { onSendTest } }: Omit<ActionsProps, 'isBusy'>) {
  const button = useRef<HTMLButtonElement>(null);
  if (onSendTest === undefined || webhook.status === 'pending_setup') return null;
  return (
    <Button ref={button} icon={<Send />} onClick={() => onSendTest(webhook, button.current)}>
      Send test
    </Button>
  );
}

/** The banner of an inactive webhook has the button that resumes it or finishes its set-up. */
function Pause({ webhook, actions: { onPause }, isBusy }: ActionsProps) {
  const button = useRef<HTMLButtonElement>(null);
  if (onPause === undefined || webhook.status !== 'active') return null;
  return (
    <Button
      ref={button}
      id={activationButtonId}
      icon={<CirclePause />}
      pending={isBusy}
      onClick={() => onPause(webhook, button.current)}
    >
      Pause
    </Button>
  );
}

type WebhookStatusLabelProps = { webhook: Webhook; now: Date };

/** A webhook's state as icon and label alone. A banner below gives the details. */
function WebhookStatusLabel({ webhook, now }: WebhookStatusLabelProps) {
  const state = webhookState(webhook, now);
  if (state === 'active' && !webhook.secret.was_shown) {
    return (
      <Status mark="warning" tone="ink">
        Active, secret never shown
      </Status>
    );
  }
  return <Status mark={webhookStateMarks[state]}>{webhookStateLabels[state]}</Status>;
}
