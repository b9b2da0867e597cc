import { useRef, useState } from 'react';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { resolveControl } from '#components/ui/rendering/resolve-control.ts';
import { getWebhookBacklog, updateWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { CountedBacklog } from './resume-webhook.tsx';
import type { ShownWebhookDialog } from './shown-webhook-dialog.ts';
import type { WebhookCache } from './use-webhook-cache.ts';
import type { WebhookHandler } from './webhook-actions.ts';

type Change = {
  webhook: Webhook;
  isActive: boolean;
  /** Sends the events that the webhook missed. */
  backlog?: 'deliver';
  trigger: HTMLElement | null;
};

/** Why a webhook was not paused or resumed, for `FailedActionPanel`. */
export type FailedChange = { failedAction: FailedAction; notDone: string; unknown: string };

type Activation = {
  pause: WebhookHandler;
  /** Prompts first if the webhook missed events. */
  resume: WebhookHandler;
  /** The webhook whose missed events are being counted. */
  webhookBeingCounted: Webhook | null;
  /** The latest pause or resumption that was not carried out. */
  failedChange: FailedChange | null;
  /** For other actions too: hides an earlier failure, and keeps where the focus returns. */
  start: (trigger: HTMLElement | null) => void;
  /** For other actions too: removes a webhook that someone else deleted. */
  removeDeleted: (webhook: Webhook) => void;
};

type ActivationInput = {
  cache: WebhookCache;
  setOpener: (opener: HTMLElement | null) => void;
  setShownDialog: (dialog: ShownWebhookDialog) => void;
};

/** Pauses and resumes webhooks. */
export function useActivation({ cache, setOpener, setShownDialog }: ActivationInput): Activation {
  const [webhookBeingCounted, setWebhookBeingCounted] = useState<Webhook | null>(null);
  const [changeNotMade, setChangeNotMade] = useState<Change | null>(null);
  /** By UUID: the changes in progress. Each resolves with the webhook after the response. */
  const changes = useRef(new Map<string, Promise<Webhook>>());
  const { clearFailure, runInBackground: sendChange, failedAction } = useAction();
  const { runInBackground: sendCount } = useAction();
  const toast = useToast();

  function start(trigger: HTMLElement | null) {
    clearFailure();
    setOpener(trigger);
  }

  function removeDeleted(webhook: Webhook) {
    setOpener(null);
    cache.remove(webhook);
    toast(`${webhook.name} was deleted`);
    cache.refetch();
  }

  async function setActive(change: Change) {
    const { uuid } = change.webhook;
    const sent = sendActive(change);
    changes.current.set(uuid, sent);
    await sent;
    if (changes.current.get(uuid) === sent) changes.current.delete(uuid);
  }

  /** Updates the cache immediately; the response then replaces that, or a failure undoes it. */
  async function sendActive(change: Change): Promise<Webhook> {
    const { webhook, isActive, backlog } = change;
    let latest = webhook;
    await cache.cancelReads();
    cache.replace(isActive ? toActive(webhook) : toPaused(webhook));
    const undo = () => {
      cache.replace(webhook);
      setOpener(null);
      setChangeNotMade(change);
    };
    const finish = (changed: Webhook) => {
      latest = changed;
      cache.replace(latest);
      setOpener(null);
      toast(`${webhook.name} is ${isActive ? 'active' : 'paused'}`);
      cache.refetch();
    };
    const body = { is_active: isActive, ...(backlog && { backlog }) };
    await sendChange(() => updateWebhook({ params: { webhook: webhook.uuid }, body }), {
      onDone: ({ data }) => finish(data),
      onNotFound: () => removeDeleted(webhook),
      onCancelled: undo,
      onNotDone: undo,
      // Not after a rate limit, which would refuse the refetch as well.
      onFailure: (failure, showPanel) => {
        // The webhook is active already: someone resumed it, or an earlier response was lost.
        if (failure.details?.['backlog']) {
          finish(toActive(webhook));
          return;
        }
        showPanel(failure);
        cache.refetch();
      },
    });
    return latest;
  }

  function pause(webhook: Webhook, trigger: HTMLElement | null) {
    start(trigger);
    void setActive({ webhook, isActive: false, trigger });
  }

  async function resume(shown: Webhook, trigger: HTMLElement | null): Promise<void> {
    if (webhookBeingCounted) return;
    let webhook = shown;
    const sent = changes.current.get(shown.uuid);
    if (sent) {
      setWebhookBeingCounted(shown);
      webhook = await sent;
      setWebhookBeingCounted(null);
      // The pause failed, or its outcome is unknown: the page shows which.
      if (webhook.is_active) return;
    }
    start(trigger);
    const change: Change = { webhook, isActive: true, trigger };
    const ask = (counted: CountedBacklog) => setShownDialog({ kind: 'resume', webhook, counted });
    setWebhookBeingCounted(webhook);
    await sendCount(() => getWebhookBacklog({ params: { webhook: webhook.uuid } }), {
      // Only if there is something to decide; otherwise the webhook is resumed immediately. An
      // event that happens after the count is delivered.
      onDone: ({ data }) =>
        data.count > 0
          ? ask({ ok: true, data })
          : void setActive({ ...change, backlog: 'deliver' }),
      onNotFound: () => removeDeleted(webhook),
      onNotDone: ask,
    });
    setWebhookBeingCounted(null);
  }

  function retry({ webhook, isActive, trigger }: Change) {
    const control = trigger && resolveControl(trigger);
    // The panel with the pressed button is removed.
    control?.focus();
    if (isActive) void resume(webhook, control);
    else pause(webhook, control);
  }

  return {
    pause,
    resume: (webhook, trigger) => void resume(webhook, trigger),
    webhookBeingCounted,
    // Created here. With a function that is called during rendering and uses `pause` and `resume`,
    // React Compiler would memoize none of the actions, and every row of a list would be rendered
    // again.
    failedChange: failedAction &&
      changeNotMade && {
        failedAction: { ...failedAction, retry: () => retry(changeNotMade) },
        ...describeNotMade(changeNotMade),
      },
    start,
    removeDeleted,
  };
}

function describeNotMade({ webhook, isActive }: Change): Pick<FailedChange, 'notDone' | 'unknown'> {
  const did = isActive ? 'resumed' : 'paused';
  return {
    notDone: `${webhook.name} was not ${did}`,
    unknown: `We could not confirm whether ${webhook.name} was ${did}`,
  };
}

function toActive(webhook: Webhook): Webhook {
  return {
    ...webhook,
    is_active: true,
    status: 'active',
    inactive_since: null,
    inactive_reason: null,
    failing_since: null,
    failure_count: 0,
  };
}

function toPaused(webhook: Webhook): Webhook {
  return { ...webhook, is_active: false, status: 'paused', inactive_since: null };
}
