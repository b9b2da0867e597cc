'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useTransition } from 'react';

import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { Button, ButtonLink } from '#components/ui/buttons/button.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { updateApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { apiKeyQuery, apiKeysQuery } from '#lib/queries/api-keys.ts';

import { toUpdateInput, draftFromApiKey, draftScopes } from './api-key-draft.ts';
import { ApiKeyFields } from './api-key-fields.tsx';
import { ApiKeyFormFailure } from './api-key-form-failure.tsx';
import { apiKeyPath } from '../api-key-path.ts';
import { expiresAt } from './expiry.ts';
import { KeyAccessSummary } from './key-access-summary.tsx';
import { useApiKeyForm } from './use-api-key-form.ts';

type EditApiKeyProps = {
  apiKey: ApiKey;
  accountId: string;
  ownAddress: string | null;
  renderedAt: string;
};

/**
 * The form to edit a key. It sends only what was changed, so that two people can edit at the same
 * time.
 */
export function EditApiKey({ apiKey, accountId, ownAddress, renderedAt }: EditApiKeyProps) {
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
  } = useApiKeyForm(draftFromApiKey(apiKey));
  const [isPending, startTransition] = useTransition();
  const now = useNow() ?? new Date(renderedAt);
  const router = useRouter();
  const fullPath = useFullPath();
  const queryClient = useQueryClient();
  const runAction = useRunAction();
  const toast = useToast();
  const changes = toUpdateInput(draft, apiKey, now);
  const end = expiresAt(draft.expiry, now);
  // An incomplete date counts as a change, so that submitting shows what is wrong with it.
  const isUntouched = Object.keys(changes).length === 0 && end !== undefined;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!validate()) return;
    startTransition(async () => {
      const result = await runAction(() => updateApiKey(apiKey.uuid, changes));
      if (!result.ok) {
        handleFailure(result);
        return;
      }
      void queryClient.invalidateQueries(apiKeysQuery(accountId));
      queryClient.setQueryData(apiKeyQuery(accountId, apiKey.uuid).queryKey, result.apiKey);
      toast(`${result.apiKey.name} saved`);
      // `replace`: Back must not lead to the submitted form.
      router.replace(fullPath(apiKeyPath(apiKey)));
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
      <ApiKeyFields
        draft={draft}
        onChange={change}
        errors={errors}
        hasTried={hasTried}
        now={now}
        isNew={false}
      />
      <KeyAccessSummary
        includesFutureScopes={draft.type === 'full' && draft.hasAllScopes}
        scopes={draftScopes(draft)}
        expiresAt={end}
        networks={draft.networks.map(({ text }) => text)}
        ownAddress={ownAddress}
      />
      <div className="grid gap-4">
        <RateLimitNotice keepsInput deadline={deadline} />
        {failure && <ApiKeyFormFailure did="changed" failure={failure} />}
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
          <ButtonLink variant="ghost" href={apiKeyPath(apiKey)}>
            Cancel
          </ButtonLink>
        </div>
      </div>
    </form>
  );
}
