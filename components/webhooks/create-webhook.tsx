'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useRef, useTransition } from 'react';

import { RateLimitNotice, waitReason } from '#components/shell/rate-limit-notice.tsx';
import { useAct } from '#components/shell/use-act.ts';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import { usePageAddress } from '#components/ui/page-root.ts';
import { createWebhook } from '#lib/actions/webhooks.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { useArrival } from './arrival.tsx';
import { CreateSteps } from './create-steps.tsx';
import { SetUpFailure } from './set-up-failure.tsx';
import { SetUpSecret } from './set-up-secret.tsx';
import { useWebhookForm } from './use-webhook-form.ts';
import { useWebhookSetUp } from './use-webhook-set-up.ts';
import { emptyDraft } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { WebhookFormFailure } from './webhook-form-failure.tsx';
import { webhookLinkId, webhooksPath } from './webhook-path.ts';

/** Makes the webhook inactive, shows its secret once, and activates it on Done. */
export function CreateWebhook({ accountId }: { accountId: string }) {
  const { form, draft, change, errors, failure, deadline, secondsLeft, begin, refuse } =
    useWebhookForm(emptyDraft);
  const [isPending, startTransition] = useTransition();
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const router = useRouter();
  const addressOf = usePageAddress();
  const act = useAct();
  const arriveAt = useArrival();
  const setUp = useWebhookSetUp(() => {
    void client.invalidateQueries({ queryKey: webhooksQuery(accountId).queryKey });
    // In the place of the form: Back from the list must not lead to it.
    router.replace(addressOf(webhooksPath));
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    begin();
    startTransition(async () => {
      const result = await act(() =>
        createWebhook({ ...draft, events: [...draft.events], is_active: false }),
      );
      if (!result.ok) {
        refuse(result);
        return;
      }
      arriveAt(webhookLinkId(result.webhook));
      await setUp.begin(result.webhook);
    });
  }

  // From here on the webhook exists, and a second press would make another.
  const isMade = setUp.stage.name !== 'idle';
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
              pending={isPending || isMade}
              refused={isPending ? undefined : waitReason(secondsLeft)}
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
      <SetUpSecret setUp={setUp} finalFocus={button} />
    </div>
  );
}
