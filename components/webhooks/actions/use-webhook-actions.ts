'use client';

import { useRef, useState } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { useCopy } from '#components/ui/buttons/use-copy.ts';
import { countMissedEvents, updateWebhook } from '#lib/actions/webhooks.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import { dayMs } from '#lib/durations.ts';

import type { DialogOutcome, ShownWebhookDialog } from './shown-webhook-dialog.ts';
import type { MissedEventCount } from './resume-webhook.tsx';
import { useWebhookCache } from './use-webhook-cache.ts';
import { useWebhookSetUp, type WebhookSetUp } from '../secret/use-webhook-set-up.ts';

/** Starts an action on a webhook. The focus returns to `opener` afterwards. */
export type WebhookHandler = (webhook: Webhook, opener: HTMLElement | null) => void;

/**
 * What the person can do with a webhook. An undefined handler means that their role does not allow
 * it.
 */
export type WebhookActions = {
  onRegenerate: WebhookHandler | undefined;
  onFinishSetUp: WebhookHandler | undefined;
  onPause: WebhookHandler | undefined;
  onResume: WebhookHandler | undefined;
  onDelete: WebhookHandler | undefined;
  onSendTest: WebhookHandler | undefined;
  mayEdit: boolean;
  mayReadAuditLog: boolean;
  onCopyId: WebhookHandler;
};

export type WebhookActionsState = {
  actions: WebhookActions;
  /** Null: no dialog is open. */
  shownDialog: ShownWebhookDialog | null;
  /** The control that started the running action. */
  opener: HTMLElement | null;
  setUp: WebhookSetUp;
  /** The webhook for which an action without a dialog is running. */
  busyWebhook: Webhook | null;
  /** Why a webhook was not paused or resumed without a dialog. */
  failedChange: FailedChange | null;
  refetch: () => void;
  closeDialog: (outcome: DialogOutcome) => void;
};

type Change = {
  webhook: Webhook;
  isActive: boolean;
  /** Sends the events that the webhook missed. */
  backlog?: 'deliver';
  trigger: HTMLElement | null;
};

/** For `FailedActionPanel`. */
type FailedChange = { failedAction: FailedAction; notDone: string; unknown: string };

type WebhookActionsInput = {
  accountId: string;
  role: Role;
  /** Called after the deleted webhook was removed from the list. */
  onDeleted?: () => void;
};

/** The actions on webhooks, for lists and pages that show webhooks, and the dialog that is open. */
export function useWebhookActions({
  accountId,
  role,
  onDeleted,
}: WebhookActionsInput): WebhookActionsState {
  const [shownDialog, setShownDialog] = useState<ShownWebhookDialog | null>(null);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [webhookBeingCounted, setWebhookBeingCounted] = useState<Webhook | null>(null);
  /** The latest pause or resumption that was not carried out. */
  const [changeNotMade, setChangeNotMade] = useState<Change | null>(null);
  /** By UUID: pauses and resumes in progress. Each resolves with the webhook after the response. */
  const changes = useRef(new Map<string, Promise<Webhook>>());
  const cache = useWebhookCache(accountId);
  const { clearFailure, runInBackground: sendChange, failedAction } = useAction();
  const { runInBackground: sendCount } = useAction();
  const toast = useToast();
  const { copy } = useCopy();
  const setUp = useWebhookSetUp((active) => {
    setOpener(null);
    if (active) toast(`${active.name} is active`);
    cache.refetch();
  });

  function start(trigger: HTMLElement | null) {
    clearFailure();
    setOpener(trigger);
  }

  function show(dialog: ShownWebhookDialog, trigger: HTMLElement | null) {
    start(trigger);
    setShownDialog(dialog);
  }

  async function setActive(wanted: Change) {
    const { webhook } = wanted;
    const sent = sendActive(wanted);
    changes.current.set(webhook.uuid, sent);
    await sent;
    if (changes.current.get(webhook.uuid) === sent) changes.current.delete(webhook.uuid);
  }

  /**
   * Updates the cache at once; the service's response then replaces that, or a failure undoes it.
   */
  async function sendActive(wanted: Change): Promise<Webhook> {
    const { webhook, isActive, backlog } = wanted;
    let latest = webhook;
    await cache.cancelReads();
    cache.replace(isActive ? toActive(webhook) : toPaused(webhook));
    const undo = () => {
      cache.replace(webhook);
      setOpener(null);
      setChangeNotMade(wanted);
    };
    const finish = (changed: Webhook) => {
      latest = changed;
      cache.replace(latest);
      setOpener(null);
      toast(`${webhook.name} is ${isActive ? 'active' : 'paused'}`);
      cache.refetch();
    };
    const input = { is_active: isActive, ...(backlog && { backlog }) };
    await sendChange(() => updateWebhook(webhook.uuid, input), {
      onDone: (result) => finish(result.webhook),
      onCancelled: undo,
      onNotDone: undo,
      // Not after a rate limit, which would refuse the refetch as well.
      onFailure: (failure, showPanel) => {
        // The webhook is active already: somebody resumed it, or an earlier response was lost.
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
      // The response to the pause has the time since which events were missed.
      setWebhookBeingCounted(shown);
      webhook = await sent;
      setWebhookBeingCounted(null);
      // The pause failed, or its outcome is unknown: the page shows which.
      if (webhook.is_active) return;
    }
    start(trigger);
    const wanted: Change = { webhook, isActive: true, trigger };
    const since = webhook.inactive_since;
    if (since === null) {
      void setActive(wanted);
      return;
    }
    const choose = (missed: MissedEventCount) =>
      setShownDialog({ kind: 'resume', webhook, missed });
    setWebhookBeingCounted(webhook);
    await sendCount(() => countMissedEvents(webhook.uuid, since), {
      // Only if there is something to decide; otherwise the webhook is resumed at once. An event
      // that happens after the count is delivered.
      onDone: (missed) =>
        missed.count > 0
          ? choose({ ok: true, count: missed.count })
          : void setActive({ ...wanted, backlog: 'deliver' }),
      onNotDone: choose,
    });
    setWebhookBeingCounted(null);
  }

  async function copyId(webhook: Webhook, trigger: HTMLElement | null) {
    if (await copy(webhook.uuid)) toast(`Webhook ID of ${webhook.name} copied`);
    else show({ kind: 'show-id', webhook }, trigger);
  }

  function retry({ webhook, isActive, trigger }: Change) {
    // The panel with the pressed button is removed.
    trigger?.focus();
    if (isActive) void resume(webhook, trigger);
    else pause(webhook, trigger);
  }

  function closeDialog(outcome: DialogOutcome) {
    setShownDialog(null);
    setOpener(null);
    if (outcome.kind === 'resumed') {
      cache.replace(outcome.webhook);
      toast(`${outcome.webhook.name} is active`);
    }
    if (outcome.kind === 'deleted') {
      cache.remove(outcome.webhook);
      toast(`${outcome.webhook.name} deleted`);
      if (onDeleted) {
        // No refetch: the webhook's own page would show "not found" before it is left.
        onDeleted();
        return;
      }
    }
    // Only after the dialog is closed: a refetch could unmount the dialog, and the secret with it.
    if (outcome.kind !== 'cancelled') cache.refetch();
  }

  const mayUpdate = mayAct(role, 'webhooks.update');
  const mayRegenerate = mayAct(role, 'webhooks.regenerate-secret');
  return {
    actions: {
      onRegenerate: mayRegenerate
        ? (webhook, trigger) => show({ kind: 'regenerate-secret', webhook }, trigger)
        : undefined,
      onFinishSetUp:
        mayRegenerate && mayUpdate
          ? (webhook, trigger) => {
              start(trigger);
              void setUp.begin(webhook);
            }
          : undefined,
      onPause: mayUpdate ? pause : undefined,
      onResume: mayUpdate ? (webhook, trigger) => void resume(webhook, trigger) : undefined,
      onDelete: mayAct(role, 'webhooks.delete')
        ? (webhook, trigger) =>
            show({ kind: 'delete', webhook, isInUse: wasTriggeredRecently(webhook) }, trigger)
        : undefined,
      onSendTest: mayAct(role, 'webhooks.replay')
        ? (webhook, trigger) => show({ kind: 'send-test', webhook, accountId }, trigger)
        : undefined,
      mayEdit: mayUpdate,
      mayReadAuditLog: mayAct(role, 'audit-log.read'),
      onCopyId: (webhook, trigger) => void copyId(webhook, trigger),
    },
    shownDialog,
    opener,
    setUp,
    busyWebhook: webhookBeingCounted ?? setUp.busyWebhook,
    // Created here. With a function that is called during rendering and uses `pause` and `resume`,
    // React Compiler would memoize none of the actions, and every row of a list would be rendered
    // again.
    failedChange: failedAction &&
      changeNotMade && {
        failedAction: { ...failedAction, retry: () => retry(changeNotMade) },
        ...describeNotMade(changeNotMade),
      },
    refetch: cache.refetch,
    closeDialog,
  };
}

function describeNotMade({ webhook, isActive }: Change): Pick<FailedChange, 'notDone' | 'unknown'> {
  const did = isActive ? 'resumed' : 'paused';
  return {
    notDone: `${webhook.name} was not ${did}`,
    unknown: `We could not confirm whether ${webhook.name} was ${did}`,
  };
}

const inUseMs = 7 * dayMs;

function wasTriggeredRecently({ last_triggered_at: triggered }: Webhook): boolean {
  return triggered !== null && Date.now() - Date.parse(triggered) < inUseMs;
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
