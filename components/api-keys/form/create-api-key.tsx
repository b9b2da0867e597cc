'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { useIdempotentAction } from '#components/shell/actions/use-action.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { FormFailure } from '#components/shell/form/form-failure.tsx';
import { FormLayout } from '#components/shell/form/form-layout.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveForm, useUnsavedGuard } from '#components/shell/leaving/use-leave-form.ts';
import { OneTimeSecret } from '#components/shell/one-time-secret/one-time-secret.tsx';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { type ActionFailure, isRepeatRefused } from '#lib/actions/action-result.ts';
import { confirmToken, createApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { CreateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { apiKeyLinkId, apiKeyPath, apiKeysPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import {
  type ApiKeyDraft,
  countInvalidNetworks,
  emptyDraft,
  toCreateInput,
  validateDraft,
} from './api-key-draft.ts';
import { ApiKeyFields } from './api-key-fields.tsx';
import { addSentDraft, findKeyWithSameName, type SentDrafts } from './find-key-with-same-name.ts';
import { KeyAccessSummary } from './key-access-summary.tsx';

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
  const namesakes = useNamesakes(accountId);
  const form = useForm({
    initial: emptyDraft,
    runsItself: true,
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

  function goToList() {
    setCreated(null);
    void queryClient.invalidateQueries(queriesAbout('apiKeys', accountId));
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
          closeWarning="The key is kept, and you can get a new token on its page."
          confirm={() =>
            confirmToken({
              params: { apiKey: created.apiKey.uuid },
              body: { last_four: created.token.slice(-4) },
            })
          }
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
        title="The key was already created"
        message="An earlier attempt created it, but its token can no longer be shown. Find the key in the list and rotate it to get a token."
        requestId={failure.requestId}
      />
    );
  }
  return (
    <FormFailure
      noun="key"
      did="created"
      failure={failure}
      adviceIfUnknown="Press “Create key” again without changing anything: you get a token, and no second key is created. After 10 minutes, find it in the list and rotate it instead."
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

/** Warns that an active key already has the name of the new one. That is allowed. */
function SameNameWarning({ namesake }: { namesake: ApiKey }) {
  return (
    <Banner tone="warn" title={`You already have an active key named ${namesake.name}`}>
      Its token is <MaskedToken lastFour={namesake.last_four} form="short" />. You can create a
      second one with the same name, or{' '}
      <PageLink
        href={apiKeyPath(namesake)}
        target="_blank"
        className="link inline-flex items-center gap-0.5"
      >
        open the existing key
        <span className="sr-only"> in a new tab</span>
        <ArrowUpRight aria-hidden className="icon-14" />
      </PageLink>
      .
    </Banner>
  );
}

type Namesakes = {
  /** The active key that has the name of this draft. */
  find: (draft: ApiKeyDraft, now: Date) => ApiKey | null;
  onSend: (draft: ApiKeyDraft) => void;
  /** Call it if sending failed: the response may have been lost and a key created. */
  onFailure: () => void;
};

/** Finds the key that already has the name of a new one. */
function useNamesakes(accountId: string): Namesakes {
  const queryClient = useQueryClient();
  const [sent, setSent] = useState<SentDrafts>(new Map());
  const { data: apiKeys = [] } = useQuery({
    ...routeQuery(accountId, 'listApiKeys'),
    // While a dialog shows the token, a refetch must not rerender what is below it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return {
    find: (draft, now) => findKeyWithSameName(apiKeys, { draft, sent, now }),
    onSend: (draft) => setSent((before) => addSentDraft(before, draft, apiKeys)),
    onFailure: () => void queryClient.invalidateQueries(queriesAbout('apiKeys', accountId)),
  };
}
