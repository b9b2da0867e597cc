'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useIdempotentAction } from '#components/shell/actions/use-action.ts';
import { FormFailure } from '#components/shell/form/form-failure.tsx';
import { FormLayout } from '#components/shell/form/form-layout.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveForm, useUnsavedGuard } from '#components/shell/leaving/use-leave-form.ts';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { createWebhook } from '#lib/actions/webhooks.ts';
import type { CreateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';
import type { WebhookTargets } from '#lib/contract/webhooks/webhook-targets.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { parseFilter } from '../filter-text.ts';
import { LazySetUpSecretDialog } from '../secret/lazy-set-up-secret-dialog.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { useWebhookSetUp } from '../secret/use-webhook-set-up.ts';
import { firstTestId, webhookLinkId, webhookPath, webhooksPath } from '../webhook-path.ts';
import { contactOf, emptyDraft, newHeadersOf, rateOf, typesOf } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';

type CreateWebhookProps = { accountId: string; targets: WebhookTargets | null };

/** The form to create a webhook: creates it inactive, shows its secret, activates it on Done. */
export function CreateWebhook({ accountId, targets }: CreateWebhookProps) {
  const [isCreated, setIsCreated] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const runIdempotently = useIdempotentAction<CreateWebhookInput>('signing secret');
  const leaveForm = useLeaveForm();
  const focusAfterNavigation = useFocusAfterNavigation();
  const toast = useToast();
  const leave = (path = webhooksPath) => {
    void client.invalidateQueries(queriesAbout('webhooks', accountId));
    void leaveForm(path);
  };
  const setUp = useWebhookSetUp({
    onDone: (active) => {
      if (active) focusAfterNavigation(firstTestId, webhookPath(active));
      leave(active ? webhookPath(active) : webhooksPath);
    },
    onNotFound: ({ name }) => {
      toast(`${name} was deleted`);
      leave();
    },
  });
  const form = useForm({
    initial: emptyDraft,
    runsItself: true,
    send: (draft) =>
      runIdempotently({
        values: draft,
        makeInput: () => ({
          name: draft.name,
          url: draft.url,
          ...typesOf(draft),
          filter: parseFilter(draft.filter),
          max_deliveries_per_second: rateOf(draft),
          contact_email: contactOf(draft),
          ...(draft.headers.length > 0 && { headers: newHeadersOf(draft) }),
          is_active: false,
        }),
        send: ({ input: body, idempotencyKey }) => createWebhook({ body, idempotencyKey }),
      }),
    onDone: async ({ data: webhook }) => {
      setIsCreated(true);
      focusAfterNavigation(webhookLinkId(webhook), webhooksPath);
      await setUp.begin(webhook);
    },
  });
  useUnsavedGuard(form.isChanged && !isCreated);
  const isStopped = setUp.stage.name === 'no-new-secret' || setUp.stage.name === 'not-active';

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 @min-[52rem]:grid-cols-[minmax(0,40.5rem)_minmax(13rem,1fr)] @min-[52rem]:gap-14">
      {isStopped ? (
        <div className="grid content-start gap-4">
          <SetUpFailure setUp={setUp} />
          <p className="text-pretty text-ink-2">
            The webhook was created and is inactive. You can finish its set-up later from the list.
          </p>
          <div>
            <ButtonLink href={webhooksPath}>Go to webhooks</ButtonLink>
          </div>
        </div>
      ) : (
        <FormLayout
          form={form}
          submit="Create webhook"
          submitRef={button}
          isDone={setUp.stage.name !== 'idle'}
          cancelHref={webhooksPath}
          failure={
            form.failure && (
              <FormFailure
                noun="webhook"
                did="created"
                failure={form.failure}
                adviceIfUnknown="Press “Create webhook” again without changing anything: no second webhook is created."
              />
            )
          }
        >
          <WebhookFields form={form} accountId={accountId} targets={targets} />
        </FormLayout>
      )}
      <CreateSteps />
      <LazySetUpSecretDialog
        shouldLoad={setUp.stage.name !== 'idle'}
        setUp={setUp}
        finalFocus={button}
      />
    </div>
  );
}

/** Explains what happens after the form is submitted. */
function CreateSteps() {
  return (
    <aside
      aria-labelledby="create-steps"
      className="self-start border-line text-small text-ink-2 @min-[52rem]:border-l @min-[52rem]:pl-6"
    >
      <h2 id="create-steps" className="mb-3 text-body font-medium text-ink">
        What comes next
      </h2>
      <ol className="grid list-none gap-2.5">
        <Step number={1}>Its signing secret is shown once.</Step>
        <Step number={2}>Store it where your server can read it, to verify each request.</Step>
        <Step number={3}>Press Done to activate the webhook. Until then it is inactive.</Step>
        <Step number={4}>Its page opens. Send a test event, and see how your server responds.</Step>
      </ol>
    </aside>
  );
}

function Step({ number, children }: { number: number; children: string }) {
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2">
      <span aria-hidden className="text-ink-3">
        {number}
      </span>
      <span className="text-pretty">{children}</span>
    </li>
  );
}
