import { ArrowUpRight } from 'lucide-react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';

/** Says that an active key already has the name of the new one. That is allowed. */
export function SameNameWarning({ namesake }: { namesake: ApiKey }) {
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
