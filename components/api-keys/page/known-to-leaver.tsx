'use client';

import { useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useRef } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { TokenOfLeaver } from '#lib/contract/api-keys/shown-tokens.ts';
import { listNames } from '#lib/list-names.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import type { KeyActions } from '../actions/use-api-key-actions.ts';
import { MaskedToken } from '../masked-token.tsx';

type KnownToLeaverProps = {
  accountId: string;
  apiKey: ApiKey;
  actions: KeyActions;
  isDialogOpen: boolean;
};

/** A banner about tokens of the key that are known to someone who left, with what to do about them. */
export function KnownToLeaver({ accountId, apiKey, actions, isDialogOpen }: KnownToLeaverProps) {
  const rotate = useRef<HTMLButtonElement>(null);
  const { data = [] } = useQuery({
    ...routeQuery(accountId, 'listTokensOfLeavers'),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  const tokens = data.filter(({ api_key: { uuid } }) => uuid === apiKey.uuid);
  if (tokens.length === 0) return null;
  const names = listNames([...new Set(tokens.map(({ person }) => person.name))], { most: 3 });
  // Rotating would not end an old token earlier.
  const isNewestKnown = tokens.some(({ last_four: lastFour }) => lastFour === apiKey.last_four);
  const rotation = actions.rotationOptionFor(apiKey).kind;
  const act =
    rotation === 'rotate'
      ? { label: 'Rotate', run: actions.onRotate }
      : rotation === 'request' && { label: 'Request rotation', run: actions.onRequestRotation };
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<UserX />}
      title={`Known to ${names}, who left`}
      action={
        isNewestKnown &&
        act && (
          <Button ref={rotate} onClick={() => act.run(apiKey, rotate.current)}>
            {act.label}
            <span className="sr-only"> {apiKey.name}</span>
          </Button>
        )
      }
    >
      {tokens.map((token) => (
        <KnownToken key={token.last_four} token={token} />
      ))}
      {isNewestKnown
        ? 'Rotate the key, so that they cannot use it.'
        : 'The newest token is not known to them. End the old one if your clients no longer use it.'}
    </Banner>
  );
}

function KnownToken({ token }: { token: TokenOfLeaver }) {
  const { last_four: lastFour, person, through, valid_until: end } = token;
  return (
    <>
      <MaskedToken lastFour={lastFour} form="short" />{' '}
      {through === null
        ? `was shown to ${person.name}`
        : `was returned to the key ${through}, of which ${person.name} knew a token`}
      {end === null ? (
        ', and works.'
      ) : (
        <>
          , and works until <ExactTime value={end} />.
        </>
      )}{' '}
    </>
  );
}
