import { useState } from 'react';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { useCopy } from '#components/ui/buttons/use-copy.ts';
import { mayAct, type Role } from '#lib/contract/rights/roles.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { dayMs } from '#lib/durations.ts';
import type { DialogOutcome, ShownWebhookDialog } from './shown-webhook-dialog.ts';
import { type FailedChange, useActivation } from './use-activation.ts';
import { useWebhookCache } from './use-webhook-cache.ts';
import { permitActions, type WebhookActions } from './webhook-actions.ts';
import { useWebhookSetUp, type WebhookSetUp } from '../secret/use-webhook-set-up.ts';

export type WebhookActionsState = {
  actions: WebhookActions;
  shownDialog: ShownWebhookDialog | null;
  /** The control that started the running action. */
  opener: HTMLElement | null;
  setUp: WebhookSetUp;
  /** The webhook for which an action without a dialog is running. */
  busyWebhook: Webhook | null;
  /** The latest pause or resumption without a dialog that was not carried out. */
  failedChange: FailedChange | null;
  refetch: () => void;
  closeDialog: (outcome: DialogOutcome) => void;
};

type WebhookActionsInput = {
  accountId: string;
  personId: string;
  role: Role;
  /** Called after the deleted webhook was removed from the list. */
  onDeleted?: () => void;
};

/** The actions on webhooks, for lists and pages that show webhooks, and the dialog that is open. */
export function useWebhookActions({
  accountId,
  personId,
  role,
  onDeleted,
}: WebhookActionsInput): WebhookActionsState {
  const [shownDialog, setShownDialog] = useState<ShownWebhookDialog | null>(null);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const cache = useWebhookCache(accountId);
  const toast = useToast();
  const { copy } = useCopy();
  const { pause, resume, webhookBeingCounted, failedChange, start, removeDeleted } = useActivation({
    cache,
    setOpener,
    setShownDialog,
  });
  const setUp = useWebhookSetUp({
    onDone: (active) => {
      setOpener(null);
      if (active) toast(`${active.name} is active`);
      cache.refetch();
    },
    onNotFound: removeDeleted,
  });

  function show(dialog: ShownWebhookDialog, trigger: HTMLElement | null) {
    start(trigger);
    setShownDialog(dialog);
  }

  async function copyId(webhook: Webhook, trigger: HTMLElement | null) {
    if (await copy(webhook.uuid)) toast(`Webhook ID of ${webhook.name} copied`);
    else show({ kind: 'show-id', webhook }, trigger);
  }

  function closeDialog(outcome: DialogOutcome) {
    setShownDialog(null);
    setOpener(null);
    if (outcome.kind === 'missing') {
      removeDeleted(outcome.webhook);
      return;
    }
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

  const mayChooseContent = mayAct(role, 'webhooks.update');

  return {
    actions: permitActions(role, {
      onRegenerate: (webhook, trigger) =>
        show({ kind: 'regenerate-secret', webhook, accountId }, trigger),
      onEndSecret: (webhook, trigger, secret) =>
        show({ kind: 'end-secret', webhook, secret }, trigger),
      onFinishSetUp: (webhook, trigger) => {
        start(trigger);
        void setUp.begin(webhook);
      },
      onPause: pause,
      onResume: resume,
      onDelete: (webhook, trigger) =>
        show({ kind: 'delete', webhook, isInUse: wasTriggeredRecently(webhook) }, trigger),
      onSendTest: (webhook, trigger) =>
        show({ kind: 'send-test', webhook, accountId, mayChooseContent }, trigger),
      onAskForSecret: (webhook, trigger) =>
        show({ kind: 'ask', act: 'regenerate_secret', webhook, accountId }, trigger),
      onAskToResume: (webhook, trigger) =>
        show({ kind: 'ask', act: 'resume', webhook, accountId }, trigger),
      onCloseRequest: (webhook, trigger, request) =>
        show({ kind: 'close-request', webhook, request, personId }, trigger),
      onCopyId: (webhook, trigger) => void copyId(webhook, trigger),
    }),
    shownDialog,
    opener,
    setUp,
    busyWebhook: webhookBeingCounted ?? setUp.busyWebhook,
    failedChange,
    refetch: cache.refetch,
    closeDialog,
  };
}

const inUseMs = 7 * dayMs;

function wasTriggeredRecently({ last_triggered_at: triggered }: Webhook): boolean {
  return triggered !== null && Date.now() - Date.parse(triggered) < inUseMs;
}
