'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { readsAbout } from '#lib/queries/stale-reads.ts';

import type { ApiKeyDraft } from './api-key-draft.ts';
import { addSentDraft, findNamesake, type SentDrafts } from './find-namesake.ts';

type Namesakes = {
  /** The active key that has the name of this draft. */
  find: (draft: ApiKeyDraft, now: Date) => ApiKey | null;
  /** Call it before a draft is sent. */
  onSend: (draft: ApiKeyDraft) => void;
  /** Call it if sending failed: the response may have been lost and a key created. */
  onFailure: () => void;
};

/** Finds the key that already has the name of a new one. */
export function useNamesakes(accountId: string): Namesakes {
  const queryClient = useQueryClient();
  const [sent, setSent] = useState<SentDrafts>(new Map());
  const { data: apiKeys = [] } = useQuery({
    ...routeQuery(accountId, 'listApiKeys'),
    // While a dialog shows the token, a refetch must not rerender what is below it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return {
    find: (draft, now) => findNamesake(apiKeys, { draft, sent, now }),
    onSend: (draft) => setSent((before) => addSentDraft(before, draft, apiKeys)),
    onFailure: () => void queryClient.invalidateQueries(readsAbout('apiKeys', accountId)),
  };
}
