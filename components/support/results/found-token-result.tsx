'use client';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { FoundToken } from '#lib/contract/support/support-desk.ts';

import { DeskTable, ResultGroup } from './desk-table.tsx';
import { FoundKeyRow, foundKeyPath } from './found-key-row.tsx';

/** Whether a pasted token works, of which key it is, and what follows from its having been pasted. */
export function FoundTokenResult({ found }: { found: FoundToken }) {
  const { key, state } = found;
  if (key === null) {
    return (
      <Banner title="No account that you can open has this token">
        It was never made here, its key was erased, or you cannot open its account. This token was
        pasted into a page: treat it as leaked. Your browser sent only its SHA-256 digest.
      </Banner>
    );
  }
  const works = state === 'live' || state === 'grace';
  return (
    <>
      <Banner
        tone={works ? 'bad' : 'plain'}
        title={TITLES[state]}
        action={
          works && key.may !== 'nothing' ? (
            <a href={`${foundKeyPath(key)}?act=leak`} className={buttonClass({})}>
              Report leak
            </a>
          ) : undefined
        }
      >
        {state === 'grace' && found.valid_until !== null && (
          <>
            It was replaced and works until <ExactTime value={found.valid_until} />.{' '}
          </>
        )}
        {found.last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <RelativeTime isMidSentence value={found.last_used_at} />.
          </>
        )}{' '}
        This token was pasted into a page: treat it as leaked. Your browser sent only its SHA-256
        digest.
      </Banner>
      <DeskTable caption="The key of the token">
        <ResultGroup label="Keys" group={{ items: [key], has_more: false }}>
          <FoundKeyRow found={key} search="" />
        </ResultGroup>
      </DeskTable>
    </>
  );
}

const TITLES: Record<FoundToken['state'], string> = {
  live: 'This token is live',
  grace: 'This token still works',
  ended: 'This token was replaced and no longer works',
  revoked: 'The key of this token was revoked',
  expired: 'The key of this token has expired',
  unknown: 'This token is unknown',
};
