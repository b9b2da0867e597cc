'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useTransition } from 'react';

import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { Button, ButtonLink } from '#components/ui/buttons/button.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { updateWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { webhookQuery, webhooksQuery } from '#lib/queries/webhooks.ts';

import { useFocusAfterNavigation } from '../navigation-focus.tsx';
import { useWebhookForm } from './use-webhook-form.ts';
import { WebhookChanges } from './webhook-changes.tsx';
import { toUpdateInput, draftFromWebhook } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { WebhookFormFailure } from './webhook-form-failure.tsx';
import { EDIT_LINK_ID, webhookPath } from '../webhook-path.ts';

type EditWebhookProps = { webhook: Webhook; accountId: string };

/**
 * The form to edit a webhook. It sends only what was changed, so that two people can edit at the
 * same time.
 */
export function EditWebhook({ webhook, accountId }: EditWebhookProps) {
  const {
    form,
    draft,
    change,
    errors,
    failure,
    deadline,
    secondsLeft,
    clearFailure,
    handleFailure,
  } = useWebhookForm(draftFromWebhook(webhook));
  const [isPending, startTransition] = useTransition();
  const router = useRouter();
  const fullPath = useFullPath();
  const queryClient = useQueryClient();
  const toast = useToast();
  const runAction = useRunAction();
  const focusAfterNavigation = useFocusAfterNavigation();
  const changes = toUpdateInput(draft, webhook);
  const isUntouched = Object.keys(changes).length === 0;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    clearFailure();
    startTransition(async () => {
      const result = await runAction(() => updateWebhook(webhook.uuid, changes));
      if (!result.ok) {
        handleFailure(result);
        return;
      }
      void queryClient.invalidateQueries(webhooksQuery(accountId));
      queryClient.setQueryData(webhookQuery(accountId, webhook.uuid).queryKey, result.webhook);
      toast(`${result.webhook.name} saved`);
      focusAfterNavigation(EDIT_LINK_ID);
      // `replace`: Back must not lead to the submitted form.
      router.replace(fullPath(webhookPath(webhook)));
    });
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 min-[64rem]:grid-cols-[minmax(0,40.5rem)_minmax(12rem,1fr)]"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <WebhookFields draft={draft} onChange={change} errors={errors} />
      </div>
      <WebhookChanges webhook={webhook} changes={changes} />
      <div className="grid gap-4">
        <RateLimitNotice keepsInput deadline={deadline} />
        {failure && <WebhookFormFailure did="changed" failure={failure} />}
        <div className="flex gap-2 border-t border-line pt-5 max-sm:*:flex-1">
          <Button
            type="submit"
            variant="primary"
            pending={isPending}
            disabledReason={
              isPending
                ? undefined
                : (rateLimitReason(secondsLeft) ??
                  (isUntouched ? 'Nothing is changed yet.' : undefined))
            }
          >
            Save changes
          </Button>
          <ButtonLink variant="ghost" href={webhookPath(webhook)}>
            Cancel
          </ButtonLink>
        </div>
      </div>
    </form>
  );
}
