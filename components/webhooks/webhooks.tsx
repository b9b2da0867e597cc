'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { leavesToSignIn } from '#components/shell/leave-to-sign-in.ts';
import { ErrorPanel } from '#components/shell/error-panel.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { useCopy } from '#components/ui/use-copy.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { DeleteWebhook } from './delete-webhook.tsx';
import { findMenuButton, findNeighbour } from './menu-cell.ts';
import { NoWebhooks } from './no-webhooks.tsx';
import { RegenerateSecret } from './regenerate-secret.tsx';
import { SetUpFailure } from './set-up-failure.tsx';
import { SetUpSecret } from './set-up-secret.tsx';
import { useSetActive } from './use-set-active.ts';
import { useWebhookSetUp } from './use-webhook-set-up.ts';
import { WebhookId } from './webhook-id.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookTableSkeleton } from './webhook-table.tsx';
import { WebhooksFailure } from './webhooks-failure.tsx';
import { WebhooksHeading } from './webhooks-heading.tsx';

type WebhooksProps = { account: { id: string; name: string }; role: Role; publicUrl: string };

/** The dialog that is open, and for which webhook. */
type Question =
  | { about: 'secret' | 'id'; webhook: Webhook }
  | { about: 'deletion'; webhook: Webhook; isInUse: boolean };

const IN_USE_MS = 7 * 86_400_000;

/** The page: the list in each of its states, and the dialogs of its rows. */
export function Webhooks({ account, role, publicUrl }: WebhooksProps) {
  const query = webhooksQuery(account.id);
  const { data: webhooks, error, ...reading } = useQuery(query);
  const client = useQueryClient();
  const toast = useToast();
  const { copy } = useCopy();
  const [question, setQuestion] = useState<Question | null>(null);
  const [refused, setRefused] = useState<{ title: string; failure: ActionFailure } | null>(null);
  const focusAfterDeletion = useRef<() => HTMLElement | null>(() => null);
  const setActive = useSetActive(account.id);
  const setUp = useWebhookSetUp((active) => {
    if (active) toast(`${active.name} is active`);
    refetch();
  });

  const canCreate = mayAct(role, 'webhooks.create');
  const canUpdate = mayAct(role, 'webhooks.update');
  const canRegenerate = mayAct(role, 'webhooks.regenerate-secret');
  const canDelete = mayAct(role, 'webhooks.delete');

  function ask(next: Question) {
    setRefused(null);
    setQuestion(next);
  }

  function refetch() {
    void client.invalidateQueries({ queryKey: query.queryKey });
  }

  async function pauseOrResume(webhook: Webhook, isActive: boolean) {
    setRefused(null);
    const failure = await setActive(webhook, isActive);
    if (failure === null) toast(`${webhook.name} is ${isActive ? 'active' : 'paused'}`);
    else if (!leavesToSignIn(failure)) {
      const verb = isActive ? 'activated' : 'paused';
      setRefused({ title: `${webhook.name} was not ${verb}`, failure });
    }
  }

  async function copyId(webhook: Webhook) {
    if (await copy(webhook.uuid)) toast(`Webhook ID of ${webhook.name} copied`);
    else ask({ about: 'id', webhook });
  }

  function askToDelete(webhook: Webhook) {
    const triggered = webhook.last_triggered_at;
    const isInUse = triggered !== null && Date.now() - Date.parse(triggered) < IN_USE_MS;
    focusAfterDeletion.current = () => findMenuButton(webhook);
    ask({ about: 'deletion', webhook, isInUse });
  }

  function forget(webhook: Webhook) {
    focusAfterDeletion.current = findNeighbour(webhook);
    client.setQueryData(query.queryKey, (list) => list?.filter(({ id }) => id !== webhook.id));
    // The list redraws a task later; only then does the focus find what is left of it.
    setTimeout(() => setQuestion(null));
    toast(`${webhook.name} deleted`);
    refetch();
  }

  return (
    <>
      <WebhooksHeading hasCreate={canCreate && webhooks?.length !== 0} />
      {error && (
        <WebhooksFailure
          error={error}
          failedAt={reading.errorUpdatedAt}
          rowsReadAt={webhooks ? reading.dataUpdatedAt : null}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      )}
      {refused && (
        <div className="mb-3">
          <ErrorPanel
            title={refused.title}
            message={refused.failure.message}
            requestId={refused.failure.requestId}
          />
        </div>
      )}
      <SetUpFailure setUp={setUp} className="mb-3" />
      {reading.isPending && <WebhookTableSkeleton />}
      {webhooks?.length === 0 && <NoWebhooks publicUrl={publicUrl} canCreate={canCreate} />}
      {webhooks && webhooks.length > 0 && (
        <WebhookList
          webhooks={webhooks}
          accountName={account.name}
          isBusy={reading.isFetching}
          finishing={setUp.busyWith}
          acts={{
            onRegenerate: canRegenerate
              ? (webhook) => ask({ about: 'secret', webhook })
              : undefined,
            onFinishSetUp:
              canRegenerate && canUpdate ? (webhook) => void setUp.begin(webhook) : undefined,
            onSetActive: canUpdate
              ? (webhook, isActive) => void pauseOrResume(webhook, isActive)
              : undefined,
            onDelete: canDelete ? askToDelete : undefined,
            onCopyId: (webhook) => void copyId(webhook),
          }}
        />
      )}
      <SetUpSecret setUp={setUp} />
      {question?.about === 'secret' && (
        <RegenerateSecret
          webhook={question.webhook}
          onOver={(isStale) => {
            setQuestion(null);
            // Not before: a list that comes anew could take the dialog and the secret with it.
            if (isStale) refetch();
          }}
        />
      )}
      {question?.about === 'deletion' && (
        <DeleteWebhook
          webhook={question.webhook}
          isInUse={question.isInUse}
          onClose={() => setQuestion(null)}
          onDeleted={() => forget(question.webhook)}
          finalFocus={() => focusAfterDeletion.current()}
        />
      )}
      {question?.about === 'id' && (
        <WebhookId webhook={question.webhook} onClose={() => setQuestion(null)} />
      )}
    </>
  );
}
