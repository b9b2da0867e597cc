'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState, useTransition } from 'react';

import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useIdempotentAction } from '#components/shell/actions/use-idempotent-action.ts';
import { Button, ButtonLink } from '#components/ui/buttons/button.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { createApiKey } from '#lib/actions/api-keys.ts';
import type { CreateApiKeyInput } from '#lib/contract/api-keys.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';

import { emptyDraft, toCreateInput, draftScopes } from './api-key-draft.ts';
import { ApiKeyFields } from './api-key-fields.tsx';
import { ApiKeyFormFailure } from './api-key-form-failure.tsx';
import { expiresAt } from './expiry.ts';
import { KeyAccessSummary } from './key-access-summary.tsx';
import { useApiKeyForm } from './use-api-key-form.ts';

type CreateApiKeyProps = { accountId: string; ownAddress: string | null; renderedAt: string };

type CreatedKey = { name: string; token: string; expiresAt: string | null };

/** The form to create a key. It then shows the token once and returns to the list. */
export function CreateApiKey({ accountId, ownAddress, renderedAt }: CreateApiKeyProps) {
  const {
    form,
    draft,
    change,
    errors,
    hasTried,
    failure,
    deadline,
    secondsLeft,
    validate,
    handleFailure,
  } = useApiKeyForm(emptyDraft);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [isPending, startTransition] = useTransition();
  const now = useNow() ?? new Date(renderedAt);
  const router = useRouter();
  const fullPath = useFullPath();
  const queryClient = useQueryClient();
  const runIdempotently = useIdempotentAction<CreateApiKeyInput>();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!validate()) return;
    startTransition(async () => {
      const result = await runIdempotently({
        values: draft,
        makeInput: () => toCreateInput(draft, now),
        send: ({ input, idempotencyKey }) => createApiKey(input, idempotencyKey),
      });
      if (result.ok) {
        const { name, expires_at } = result.apiKey;
        setCreated({ name, token: result.token, expiresAt: expires_at });
      } else {
        handleFailure(result);
      }
    });
  }

  function goToList() {
    setCreated(null);
    void queryClient.invalidateQueries(apiKeysQuery(accountId));
    // `replace`: Back must not lead from the list to the submitted form.
    router.replace(fullPath('settings/api-keys'));
  }

  return (
    <>
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={submit}
        className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 min-[64rem]:grid-cols-[minmax(0,40.5rem)_minmax(12rem,1fr)]"
      >
        <ApiKeyFields
          draft={draft}
          onChange={change}
          errors={errors}
          hasTried={hasTried}
          now={now}
        />
        <KeyAccessSummary
          includesFutureScopes={draft.type === 'full' && draft.hasAllScopes}
          scopes={draftScopes(draft)}
          expiresAt={expiresAt(draft.expiry, now)}
          networks={draft.networks.map(({ text }) => text)}
          ownAddress={ownAddress}
        />
        <div className="grid gap-4">
          <RateLimitNotice keepsInput deadline={deadline} />
          {failure && <ApiKeyFormFailure did="created" failure={failure} />}
          <div className="flex gap-2 border-t border-line pt-5 max-sm:*:flex-1">
            <Button
              type="submit"
              variant="primary"
              pending={isPending || created !== null}
              disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
            >
              Create key
            </Button>
            <ButtonLink variant="ghost" href="settings/api-keys">
              Cancel
            </ButtonLink>
          </div>
        </div>
      </form>
      {created && (
        <OneTimeSecret
          kind="token"
          subject={created.name}
          value={created.token}
          envName="MESSAGING_API_KEY"
          sentence="It is shown this once. If it gets lost, rotate the key."
          note={created.expiresAt === null ? undefined : <WorksUntil value={created.expiresAt} />}
          closeWarning="The key stays; to get another token, rotate it."
          onClosed={goToList}
        />
      )}
    </>
  );
}

function WorksUntil({ value }: { value: string }) {
  return (
    <>
      It works until{' '}
      <strong>
        <ExactTime value={value} />
      </strong>
      .
    </>
  );
}
