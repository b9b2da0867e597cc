'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useToast } from '#components/ui/toast.tsx';
import { useCopy } from '#components/ui/use-copy.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';

import type { AskedAct } from './api-key-act.tsx';

/** An act upon a key; `opener` is where focus returns to. */
export type KeyAct = (apiKey: ApiKey, opener: HTMLElement | null) => void;

/** What a person may do to a key; a missing act is one their role does not have. */
export type KeyActs = {
  onRotate: KeyAct | undefined;
  onRevoke: KeyAct | undefined;
  onEndPrevious: KeyAct | undefined;
  mayEdit: boolean;
  onCopyId: KeyAct;
};

type ApiKeyActs = {
  acts: KeyActs;
  /** The act whose dialog is open. */
  asked: AskedAct | null;
  /** Makes what was read of any key be read again. */
  refetch: () => void;
  close: (didChange: boolean) => void;
};

/** The acts upon keys, wherever a key is shown, and which of them is being asked about. */
export function useApiKeyActs({ accountId, role }: { accountId: string; role: Role }): ApiKeyActs {
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const queryClient = useQueryClient();
  const { copy } = useCopy();
  const toast = useToast();

  function ask(kind: AskedAct['kind']): KeyAct {
    return (apiKey, opener) => setAsked({ kind, apiKey, opener });
  }

  function refetch() {
    // The keys of the single ones begin with the list's, so they are meant as well.
    void queryClient.invalidateQueries({ queryKey: apiKeysQuery(accountId).queryKey });
  }

  async function copyId(apiKey: ApiKey, opener: HTMLElement | null) {
    if (await copy(apiKey.uuid)) toast(`Key ID of ${apiKey.name} copied`);
    else ask('show-id')(apiKey, opener);
  }

  const mayRotate = mayAct(role, 'api-keys.rotate');
  return {
    acts: {
      onRotate: mayRotate ? ask('rotate') : undefined,
      onEndPrevious: mayRotate ? ask('end-previous') : undefined,
      onRevoke: mayAct(role, 'api-keys.revoke') ? ask('revoke') : undefined,
      mayEdit: mayAct(role, 'api-keys.update'),
      onCopyId: (apiKey, opener) => void copyId(apiKey, opener),
    },
    asked,
    refetch,
    close: (didChange) => {
      setAsked(null);
      // Not before: a list that comes anew could take the dialog and the token with it.
      if (didChange) refetch();
    },
  };
}
