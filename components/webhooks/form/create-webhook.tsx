'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useRef, useTransition } from 'react';

import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { Button, ButtonLink } from '#components/ui/buttons/button.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { createWebhook } from '#lib/actions/webhooks.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { useFocusAfterNavigation } from '../navigation-focus.tsx';
import { CreateSteps } from './create-steps.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { SetUpSecretDialog } from '../secret/set-up-secret-dialog.tsx';
import { useWebhookForm } from './use-webhook-form.ts';
import { useWebhookSetUp } from '../secret/use-webhook-set-up.ts';
import { emptyDraft } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { WebhookFormFailure } from './webhook-form-failure.tsx';
import { webhookLinkId, webhooksPath } from '../webhook-path.ts';

/**
 * The form to create a webhook. It creates it inactive, shows its secret once, and activates it on
 * Done.
 */
export function CreateWebhook({ accountId }: { accountId: string }) {
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
  } = useWebhookForm(emptyDraft);
  const [isPending, startTransition] = useTransition();
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const router = useRouter();
  const fullPath = useFullPath();
  const runAction = useRunAction();
  const focusAfterNavigation = useFocusAfterNavigation();
  const setUp = useWebhookSetUp(() => {
    void client.invalidateQueries({ queryKey: webhooksQuery(accountId).queryKey });
    // `replace`: Back must not lead from the list to the submitted form.
    router.replace(fullPath(webhooksPath));
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    clearFailure();
    startTransition(async () => {
      const result = await runAction(() =>
        createWebhook({ ...draft, events: [...draft.events], is_active: false }),
      );
      if (!result.ok) {
        handleFailure(result);
        return;
      }
      focusAfterNavigation(webhookLinkId(result.webhook));
      await setUp.begin(result.webhook);
    });
  }

  // The webhook exists now, and a second press would create another.
  const isCreated = setUp.stage.name !== 'idle';
  const isStopped = setUp.stage.name === 'no new secret' || setUp.stage.name === 'not active';

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 @min-[52rem]:grid-cols-[minmax(0,40.5rem)_minmax(13rem,1fr)] @min-[52rem]:gap-14">
      {isStopped ? (
        <div className="grid content-start gap-4">
          <SetUpFailure setUp={setUp} />
          <p className="text-pretty text-ink-2">
            The webhook is made and stays inactive. You can finish its set-up later from the list.
          </p>
          <div>
            <ButtonLink href={webhooksPath}>Go to webhooks</ButtonLink>
          </div>
        </div>
      ) : (
        <form
          ref={form}
          method="post"
          noValidate
          onSubmit={submit}
          className="grid grid-cols-[minmax(0,1fr)] content-start gap-8"
        >
          <WebhookFields draft={draft} onChange={change} errors={errors} />
          <RateLimitNotice keepsInput deadline={deadline} />
          {failure && <WebhookFormFailure did="created" failure={failure} />}
          <div className="flex gap-2 border-t border-line pt-5 max-sm:*:flex-1">
            <Button
              ref={button}
              type="submit"
              variant="primary"
              pending={isPending || isCreated}
              disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
            >
              Create webhook
            </Button>
            <ButtonLink href={webhooksPath} variant="ghost">
              Cancel
            </ButtonLink>
          </div>
        </form>
      )}
      <CreateSteps />
      <SetUpSecretDialog setUp={setUp} finalFocus={button} />
    </div>
  );
}
