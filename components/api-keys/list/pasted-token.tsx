'use client';

import { KeyRound } from 'lucide-react';
import { useState } from 'react';

import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import { digestToken } from '#components/shell/search/digest-token.ts';
import { hideSecrets, wholeTokenIn } from '#components/shell/search/hide-secrets.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { findTokenOfAccount } from '#lib/actions/api-keys.ts';
import type { FoundTokenOfAccount } from '#lib/contract/api-keys/token-search.ts';

import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';

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
 * Looks up the whole token that somebody puts into the search. The token itself is not kept and not
 * sent: the service takes its digest.
 *
 * @param search the search as the address has it, with the last four characters of the token
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
      : { key: digest, call: async () => await findTokenOfAccount({ token_digest: digest }) },
  );

  async function readSearch(text: string) {
    const token = wholeTokenIn(text);
    setLatest(
      token === null ? null : { search: hideSecrets(text), digest: await digestToken(token) },
    );
  }

  function pastedOf(): PastedToken {
    if (current === null) return { kind: 'none' };
    if (value !== null) return { kind: 'found', found: value.found };
    return { kind: digest === null || failedAction !== null ? 'last_four' : 'searching' };
  }

  return { pasted: pastedOf(), readSearch };
}

/** Above the list: to which key a pasted token belongs, and when it ends or ended. */
export function PastedTokenBanner({ pasted }: { pasted: PastedToken }) {
  if (pasted.kind === 'last_four') {
    return (
      <Banner role="none" title="This token could not be looked up" className="mb-3">
        The list shows keys with a token that has the same last four characters. To look up a whole
        token, open the dashboard with HTTPS, and try again.
      </Banner>
    );
  }
  if (pasted.kind !== 'found' || pasted.found.api_key === null) return null;
  const { api_key: apiKey, state, last_four: lastFour, valid_until: end } = pasted.found;
  return (
    <Banner
      role="none"
      icon={<KeyRound />}
      className="mb-3"
      title={
        <>
          Token of{' '}
          <PageLink className="link" href={apiKeyPath(apiKey)}>
            {apiKey.name}
          </PageLink>
          {end !== null && (
            <>
              , {words[state]} <ExactTime value={end} />
            </>
          )}
        </>
      }
    >
      <MaskedToken lastFour={lastFour ?? ''} /> {sentences[state]} It was pasted into a page: treat
      it as leaked.
    </Banner>
  );
}

const words: Record<FoundTokenOfAccount['state'], string> = {
  live: 'works until',
  grace: 'works until',
  ended: 'ended',
  revoked: 'revoked',
  expired: 'expired',
  unknown: '',
};

const sentences: Record<FoundTokenOfAccount['state'], string> = {
  live: 'is the newest token of this key, and works.',
  grace: 'was replaced, and still works.',
  ended: 'was replaced, and no longer works.',
  revoked: 'no longer works: its key was revoked.',
  expired: 'no longer works: its key has expired.',
  unknown: '',
};
