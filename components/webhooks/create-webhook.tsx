'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState, useTransition } from 'react';

import { leavesToSignIn } from '#components/shell/leave-to-sign-in.ts';
import { ErrorPanel } from '#components/shell/error-panel.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { useFirstInvalid } from '#components/ui/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { settle } from '#lib/actions/settle.ts';
import { createWebhook } from '#lib/actions/webhooks.ts';
import type { EventKind } from '#lib/contract/event-kinds.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { CreateSteps } from './create-steps.tsx';
import { EventKindsField } from './event-kinds-field.tsx';
import { SetUpFailure } from './set-up-failure.tsx';
import { SetUpSecret } from './set-up-secret.tsx';
import { useWebhookSetUp } from './use-webhook-set-up.ts';

const LIST = '/settings/webhooks';

const fields = ['name', 'url', 'events'] as const;

type FieldErrors = Partial<Record<(typeof fields)[number], string>>;

/** Makes the webhook inactive, shows its secret once, and activates it on Done. */
export function CreateWebhook({ accountId }: { accountId: string }) {
  const [events, setEvents] = useState<EventKind[]>([]);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [isPending, startTransition] = useTransition();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const secondsLeft = useSecondsLeft(deadline);
  const client = useQueryClient();
  const router = useRouter();
  const setUp = useWebhookSetUp(() => {
    void client.invalidateQueries({ queryKey: webhooksQuery(accountId).queryKey });
    router.replace(LIST);
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const input = { name: text(typed, 'name'), url: text(typed, 'url'), events, is_active: false };
    setFailure(null);
    startTransition(async () => {
      const result = await settle(createWebhook(input));
      if (result.ok) await setUp.begin(result.webhook);
      else if (!leavesToSignIn(result)) show(result);
    });
  }

  function show(refused: ActionFailure) {
    const told = fieldErrors(refused);
    setErrors(told);
    focusFirstInvalid();
    if (refused.code === 'RATE_LIMIT_EXCEEDED') {
      setDeadline(deadlineAfter(refused.retryAfter ?? 60));
    } else if (Object.keys(told).length === 0) setFailure(refused);
  }

  function clearError(name: keyof FieldErrors) {
    const { [name]: cleared, ...others } = errors;
    if (cleared !== undefined) setErrors(others);
  }

  // From here on the webhook exists, and a second press would make another.
  const isMade = setUp.stage.name !== 'idle';
  const isStopped = setUp.stage.name === 'without secret' || setUp.stage.name === 'not active';

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 @min-[52rem]:grid-cols-[minmax(0,40.5rem)_minmax(13rem,1fr)] @min-[52rem]:gap-14">
      {isStopped ? (
        <div className="grid content-start gap-4">
          <SetUpFailure setUp={setUp} />
          <p className="text-pretty text-ink-2">
            The webhook is made and stays inactive. You can finish its set-up later from the list.
          </p>
          <div>
            <ButtonLink href={LIST}>Go to webhooks</ButtonLink>
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
          <Field
            label="Name"
            help="Say what receives the events. Your team sees this name in the list."
            error={errors.name}
          >
            <Input
              name="name"
              autoComplete="off"
              required
              className="sm:max-w-90"
              onChange={() => clearError('name')}
            />
          </Field>
          <Field
            label="Address"
            help="Where your server takes POST requests. Private and local addresses are refused."
            error={errors.url}
          >
            <Input
              name="url"
              type="url"
              mono
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              placeholder="https://example.com/webhooks"
              required
              onChange={() => clearError('url')}
            />
          </Field>
          <EventKindsField
            chosen={events}
            error={errors.events}
            onChange={(chosen) => {
              setEvents(chosen);
              clearError('events');
            }}
          />
          <RateLimitNotice keepsInput deadline={deadline} />
          {failure && (
            <ErrorPanel
              title="The webhook was not created"
              message={failure.details?.['body']?.[0] ?? failure.message}
              requestId={failure.requestId}
            />
          )}
          <div className="flex gap-2 border-t border-line pt-5 max-sm:*:flex-1">
            <Button
              type="submit"
              variant="primary"
              pending={isPending || isMade}
              refused={waitReason(secondsLeft)}
            >
              Create webhook
            </Button>
            <ButtonLink href={LIST} variant="ghost">
              Cancel
            </ButtonLink>
          </div>
        </form>
      )}
      <CreateSteps />
      <SetUpSecret setUp={setUp} />
    </div>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function fieldErrors({ details }: ActionFailure): FieldErrors {
  const found: FieldErrors = {};
  for (const name of fields) {
    const message = details?.[name]?.[0];
    if (message !== undefined) found[name] = message;
  }
  return found;
}
