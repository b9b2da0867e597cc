'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useConfirmation } from '#components/shell/actions/use-confirmation.ts';
import { useIdempotentAction } from '#components/shell/actions/use-idempotent-action.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { FormFailure } from '#components/shell/form/form-failure.tsx';
import { FormLayout } from '#components/shell/form/form-layout.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveForm } from '#components/shell/leaving/use-leave-form.ts';
import { useUnsavedGuard } from '#components/shell/leaving/use-unsaved-guard.ts';
import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { confirmToken, createApiKey } from '#lib/actions/api-keys.ts';
import { type ActionFailure, isRepeatRefused } from '#lib/actions/action-result.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { CreateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { readsAbout } from '#lib/queries/stale-reads.ts';

import { apiKeyLinkId, apiKeysPath } from '../api-key-path.ts';
import { emptyDraft, countInvalidNetworks, toCreateInput, validateDraft } from './api-key-draft.ts';
import { ApiKeyFields } from './api-key-fields.tsx';
import { KeyAccessSummary } from './key-access-summary.tsx';
import { SameNameWarning } from './same-name-warning.tsx';
import { useNamesakes } from './use-namesakes.ts';

type CreateApiKeyProps = { accountId: string; ownAddress: string | null; renderedAt: string };

type CreatedKey = { apiKey: ApiKey; token: string };

/** The form to create a key. It then shows the token once and returns to the list. */
export function CreateApiKey({ accountId, ownAddress, renderedAt }: CreateApiKeyProps) {
  // Null again once the dialog with its token has closed.
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [isCreated, setIsCreated] = useState(false);
  const now = useNow() ?? new Date(renderedAt);
  const queryClient = useQueryClient();
  const runIdempotently = useIdempotentAction<CreateApiKeyInput>('token');
  const leaveForm = useLeaveForm();
  const focusAfterNavigation = useFocusAfterNavigation();
  const confirm = useConfirmation('token');
  const namesakes = useNamesakes(accountId);
  const form = useForm({
    initial: emptyDraft,
    validate: (draft) => validateDraft(draft, new Date()),
    countOwnErrors: countInvalidNetworks,
    send: async (draft) => {
      namesakes.onSend(draft);
      const result = await runIdempotently({
        values: draft,
        makeInput: () => toCreateInput(draft, now),
        send: ({ input: body, idempotencyKey }) => createApiKey({ body, idempotencyKey }),
      });
      if (!result.ok) namesakes.onFailure();
      return result;
    },
    onDone: ({ data: { token, ...apiKey } }) => {
      focusAfterNavigation(apiKeyLinkId(apiKey), apiKeysPath);
      setCreated({ apiKey, token });
      setIsCreated(true);
    },
  });

  useUnsavedGuard(form.isChanged && !isCreated);

  const namesake = namesakes.find(form.values, now);

  async function confirmCreated({ apiKey, token }: CreatedKey) {
    const lastFour = token.slice(-4);
    return await confirm(apiKey.name, () =>
      confirmToken({ params: { apiKey: apiKey.uuid }, body: { last_four: lastFour } }),
    );
  }

  function goToList() {
    setCreated(null);
    void queryClient.invalidateQueries(readsAbout('apiKeys', accountId));
    void leaveForm(apiKeysPath);
  }

  return (
    <>
      <FormLayout
        form={form}
        submit="Create key"
        isDone={isCreated}
        cancelHref={apiKeysPath}
        summary={<KeyAccessSummary draft={form.values} now={now} ownAddress={ownAddress} />}
        failure={form.failure && <CreationFailure failure={form.failure} />}
      >
        <ApiKeyFields
          form={form}
          now={now}
          accountId={accountId}
          nameWarning={namesake && <SameNameWarning namesake={namesake} />}
        />
      </FormLayout>
      {created && (
        <OneTimeSecret
          kind="token"
          subject={created.apiKey.name}
          value={created.token}
          envName="MESSAGING_API_KEY"
          sentence="It is shown only once. If you lose it, rotate the key."
          note={
            created.apiKey.expires_at === null ? undefined : (
              <WorksUntil value={created.apiKey.expires_at} />
            )
          }
          closeWarning="The key stays, and its page can show a new token in its place."
          confirm={() => confirmCreated(created)}
          onClosed={goToList}
        />
      )}
    </>
  );
}

function CreationFailure({ failure }: { failure: ActionFailure }) {
  if (isRepeatRefused(failure)) {
    return (
      <ErrorPanel
        title="The key exists already"
        message="An earlier attempt created it, but its token can no longer be shown. Look for its name in the list and rotate it to get a token."
        requestId={failure.requestId}
      />
    );
  }
  return (
    <FormFailure
      noun="key"
      did="created"
      failure={failure}
      adviceIfUnknown="Press “Create key” again without changing anything: you get a token, and no second key is created. After 10 minutes, look for its name in the list instead and rotate it."
    />
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
