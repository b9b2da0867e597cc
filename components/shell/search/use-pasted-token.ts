import { useState } from 'react';
import { findTokenOfAccount } from '#lib/actions/api-keys.ts';
import type { FoundTokenOfAccount } from '#lib/contract/api-keys/token-search.ts';
import { useLatestResult } from '../actions/use-latest-result.ts';
import { digestToken } from './digest-token.ts';
import { hideSecrets, wholeTokenIn } from './hide-secrets.ts';

/**
 * What is known about a whole token in the search. `none`: there is no whole token in it.
 * `last_four`: the token could not be looked up, so keys are found by its last four characters.
 */
export type PastedToken =
  | { kind: 'none' | 'searching' | 'last_four' }
  | { kind: 'found'; found: FoundTokenOfAccount };

/** Whether the digest of the token says which key has it, so that the search matches no other. */
export function isLookedUp({ kind }: PastedToken): boolean {
  return kind === 'searching' || kind === 'found';
}

/**
 * Looks up the whole token that someone puts into the search. The token itself is not kept and not
 * sent: the service takes its digest.
 *
 * @param search the search as it is kept, with the last four characters of the token
 */
export function usePastedToken(search: string): {
  pasted: PastedToken;
  readSearch: (text: string) => Promise<void>;
} {
  const [latest, setLatest] = useState<{ search: string; digest: string | null } | null>(null);
  const current = latest?.search === search ? latest : null;
  const digest = current?.digest ?? null;
  const { value, failedAction } = useLatestResult(
    digest === null
      ? null
      : {
          key: digest,
          call: async () => await findTokenOfAccount({ body: { token_digest: digest } }),
        },
  );

  async function readSearch(text: string) {
    const token = wholeTokenIn(text);
    setLatest(
      token === null ? null : { search: hideSecrets(text), digest: await digestToken(token) },
    );
  }

  function pastedOf(): PastedToken {
    if (current === null) return { kind: 'none' };
    if (value !== null) return { kind: 'found', found: value.data };
    return { kind: digest === null || failedAction !== null ? 'last_four' : 'searching' };
  }

  return { pasted: pastedOf(), readSearch };
}
