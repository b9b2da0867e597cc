import { KeyRound } from 'lucide-react';
import type { PastedToken } from '#components/shell/search/use-pasted-token.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { FoundTokenOfAccount } from '#lib/contract/api-keys/token-search.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';

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
  paused: 'would work until',
  ended: 'ended',
  revoked: 'revoked',
  expired: 'expired',
  unknown: '',
};

const sentences: Record<FoundTokenOfAccount['state'], string> = {
  live: 'is the newest token of this key, and works.',
  grace: 'was replaced, and still works.',
  paused: 'does not work while its key is paused.',
  ended: 'was replaced, and no longer works.',
  revoked: 'no longer works: its key was revoked.',
  expired: 'no longer works: its key has expired.',
  unknown: '',
};
