'use client';

import { useQueryClient } from '@tanstack/react-query';

import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { EditForm } from '#components/shell/form/edit-form.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveForm } from '#components/shell/leaving/use-leave-form.ts';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { updateWebhook } from '#lib/actions/webhooks.ts';
import type { WebhookTargets } from '#lib/contract/webhooks/webhook-targets.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { readsAbout } from '#lib/queries/stale-reads.ts';

import { editLinkId, webhookPath } from '../webhook-path.ts';
import { WebhookChanges } from './webhook-changes.tsx';
import { draftFromWebhook, toUpdateInput } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

type EditWebhookProps = { webhook: Webhook; accountId: string; targets: WebhookTargets | null };

/**
 * The form to edit a webhook. It sends only what was changed, so that two people can edit at the
 * same time.
 */
export function EditWebhook({ webhook, accountId, targets }: EditWebhookProps) {
  const queryClient = useQueryClient();
  const runAction = useRunAction();
  const toast = useToast();
  const leaveForm = useLeaveForm();
  const focusAfterNavigation = useFocusAfterNavigation();
  const params = { webhook: webhook.uuid };
  const form = useForm({
    initial: draftFromWebhook(webhook),
    send: (draft) =>
      runAction(() => updateWebhook({ params, body: toUpdateInput(draft, webhook) })),
    onDone: async ({ data: saved }) => {
      void queryClient.invalidateQueries(readsAbout('webhooks', accountId));
      queryClient.setQueryData(routeQuery(accountId, 'getWebhook', { params }).queryKey, saved);
      toast(`${saved.name} saved`);
      const settings = webhookPath(webhook, 'settings');
      focusAfterNavigation(editLinkId, settings);
      await leaveForm(settings);
    },
  });
  const changes = toUpdateInput(form.values, webhook);

  return (
    <EditForm
      form={form}
      noun="webhook"
      href={webhookPath(webhook, 'settings')}
      isUntouched={Object.keys(changes).length === 0}
      summary={<WebhookChanges webhook={webhook} changes={changes} />}
    >
      <WebhookFields form={form} targets={targets} />
    </EditForm>
  );
}
