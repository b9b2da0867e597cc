'use client';

import { useState } from 'react';

import { isLeft, useAct } from '#components/shell/use-act.ts';
import { useToast } from '#components/ui/toast.tsx';
import { useCopy } from '#components/ui/use-copy.ts';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { countMissedEvents, updateWebhook } from '#lib/actions/webhooks.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';

import { type Refusal, refusalOf } from './act-refusal.tsx';
import type { ActOutcome, AskedAct } from './asked-act.ts';
import { useWebhookCache } from './use-webhook-cache.ts';
import { useWebhookSetUp, type WebhookSetUp } from './use-webhook-set-up.ts';

/** An act upon a webhook; `opener` is where the focus returns to. */
export type WebhookAct = (webhook: Webhook, opener: HTMLElement | null) => void;

/** What a person may do to a webhook; a missing act is one their role does not have. */
export type WebhookActs = {
  onRegenerate: WebhookAct | undefined;
  onFinishSetUp: WebhookAct | undefined;
  onPause: WebhookAct | undefined;
  onResume: WebhookAct | undefined;
  onDelete: WebhookAct | undefined;
  mayEdit: boolean;
  onCopyId: WebhookAct;
};

type AskedWebhookActs = {
  acts: WebhookActs;
  /** The act whose dialog is open. */
  asked: AskedAct | null;
  /** From where an act under way was asked for. */
  opener: HTMLElement | null;
  setUp: WebhookSetUp;
  /** The webhook on which something is under way that has no dialog. */
  busyWith: Webhook | null;
  /** Why an act without a dialog was not done. */
  refusal: Refusal | null;
  refetch: () => void;
  close: (outcome: ActOutcome) => void;
};

type WebhookActsInput = {
  accountId: string;
  role: Role;
  /** After a deletion has been taken from the list and told. */
  onDeleted?: () => void;
};

/** The acts upon webhooks, wherever one is shown, and which of them is being asked about. */
export function useWebhookActs({ accountId, role, onDeleted }: WebhookActsInput): AskedWebhookActs {
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [counting, setCounting] = useState<Webhook | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const cache = useWebhookCache(accountId);
  const act = useAct();
  const toast = useToast();
  const { copy } = useCopy();
  const setUp = useWebhookSetUp((active) => {
    setOpener(null);
    if (active) toast(`${active.name} is active`);
    cache.refetch();
  });

  function begin(from: HTMLElement | null) {
    setRefusal(null);
    setOpener(from);
  }

  function ask(question: AskedAct, from: HTMLElement | null) {
    begin(from);
    setAsked(question);
  }

  /** Shown at once; what the service then answers replaces it, and a refusal puts back how it was. */
  async function setActive(webhook: Webhook, isActive: boolean, again: () => void) {
    await cache.hold();
    cache.replace(isActive ? asActive(webhook) : asPaused(webhook));
    const result = await act(() => updateWebhook(webhook.uuid, { is_active: isActive }));
    cache.replace(result.ok ? result.webhook : webhook);
    setOpener(null);
    if (result.ok) {
      toast(`${webhook.name} is ${isActive ? 'active' : 'paused'}`);
      cache.refetch();
    } else if (!isLeft(result)) {
      const did = isActive ? 'resumed' : 'paused';
      const title = isOutcomeUnknown(result)
        ? `It is unknown whether ${webhook.name} was ${did}`
        : `${webhook.name} was not ${did}`;
      setRefusal(refusalOf(title, result, again));
      // Refused for the rate, a read would be refused as well.
      if (result.code !== 'RATE_LIMIT_EXCEEDED') cache.refetch();
    }
  }

  function pause(webhook: Webhook, from: HTMLElement | null) {
    begin(from);
    void setActive(webhook, false, () => pause(webhook, from));
  }

  async function resume(webhook: Webhook, from: HTMLElement | null): Promise<void> {
    if (counting) return;
    begin(from);
    if (webhook.inactive_since !== null) {
      const since = webhook.inactive_since;
      setCounting(webhook);
      const missed = await act(() => countMissedEvents(webhook.uuid, since));
      setCounting(null);
      if (!missed.ok && isLeft(missed)) return;
      // Nothing to decide about: it simply goes on.
      if (!missed.ok || missed.count > 0) {
        setAsked({ kind: 'resumption', webhook, missed });
        return;
      }
    }
    await setActive(webhook, true, () => void resume(webhook, from));
  }

  async function copyId(webhook: Webhook, from: HTMLElement | null) {
    if (await copy(webhook.uuid)) toast(`Webhook ID of ${webhook.name} copied`);
    else ask({ kind: 'id', webhook }, from);
  }

  function close(outcome: ActOutcome) {
    setAsked(null);
    setOpener(null);
    if (outcome.kind === 'resumed') {
      cache.replace(outcome.webhook);
      toast(`${outcome.webhook.name} is active`);
    }
    if (outcome.kind === 'deleted') {
      cache.remove(outcome.webhook);
      toast(`${outcome.webhook.name} deleted`);
      if (onDeleted) {
        // Its own page would read it once more before it is left, and say that it is not there.
        onDeleted();
        return;
      }
    }
    // Not before: a list that comes anew could take the dialog and the secret with it.
    if (outcome.kind !== 'cancelled') cache.refetch();
  }

  const mayUpdate = mayAct(role, 'webhooks.update');
  const mayRegenerate = mayAct(role, 'webhooks.regenerate-secret');
  return {
    acts: {
      onRegenerate: mayRegenerate
        ? (webhook, from) => ask({ kind: 'secret', webhook }, from)
        : undefined,
      onFinishSetUp:
        mayRegenerate && mayUpdate
          ? (webhook, from) => {
              begin(from);
              void setUp.begin(webhook);
            }
          : undefined,
      onPause: mayUpdate ? pause : undefined,
      onResume: mayUpdate ? (webhook, from) => void resume(webhook, from) : undefined,
      onDelete: mayAct(role, 'webhooks.delete')
        ? (webhook, from) =>
            ask({ kind: 'deletion', webhook, isInUse: wasTriggeredLately(webhook) }, from)
        : undefined,
      mayEdit: mayUpdate,
      onCopyId: (webhook, from) => void copyId(webhook, from),
    },
    asked,
    opener,
    setUp,
    busyWith: counting ?? setUp.busyWith,
    refusal,
    refetch: cache.refetch,
    close,
  };
}

const IN_USE_MS = 7 * 86_400_000;

function wasTriggeredLately({ last_triggered_at: triggered }: Webhook): boolean {
  return triggered !== null && Date.now() - Date.parse(triggered) < IN_USE_MS;
}

function asActive(webhook: Webhook): Webhook {
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

function asPaused(webhook: Webhook): Webhook {
  return { ...webhook, is_active: false, status: 'paused', inactive_since: null };
}
