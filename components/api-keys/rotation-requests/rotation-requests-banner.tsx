'use client';

import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { usePathname } from 'next/navigation';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { countOf } from '#lib/count.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';
import { sessionQuery } from '#lib/queries/people/session.ts';

import { apiKeysPath, rotationRequestsPath } from '../api-key-path.ts';
import { rotationRequestPath } from './rotation-request-path.ts';

/**
 * A banner on every page of an account: who asks this person to rotate a key. The pages of keys and
 * of rotation requests say it themselves, with what to do about it.
 */
export function RotationRequestsBanner({ session }: { session: Session }) {
  const { account, role, person } = session;
  const { data: current = session } = useQuery({ ...sessionQuery(session), enabled: false });
  const pathname = usePathname();
  const fullPath = useFullPath();
  const isSaidBelow = [apiKeysPath, rotationRequestsPath].some((path) =>
    pathname.startsWith(fullPath(path)),
  );
  const { data = [] } = useQuery({
    ...rotationRequestsQuery(account.id),
    // The service refuses this read in an account that is being deleted, and to a person who still
    // has to set up a second factor.
    enabled:
      mayAct(role, 'api-keys.rotate') && account.erased_at === null && !current.lacks_second_factor,
    // Those pages read them themselves, and not while a dialog may show a token.
    refetchInterval: !isSaidBelow && pageRefetchInterval,
  });
  const [newest, ...others] = data.filter(({ member }) => member.id === person.id);
  if (newest === undefined || isSaidBelow) return null;
  return (
    <Banner
      className="mb-6"
      tone={[newest, ...others].some(({ reason }) => reason === 'leaked') ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={titleOf(newest, others.length)}
      action={
        <ButtonLink
          size="small"
          href={others.length === 0 ? rotationRequestPath(newest) : rotationRequestsPath}
        >
          {others.length === 0 ? 'Open request' : 'Open requests'}
        </ButtonLink>
      }
    />
  );
}

function titleOf({ requested_by: requester, api_key: key }: RotationRequest, others: number) {
  return others === 0
    ? `${requester.name} asks you to rotate ${key.name}`
    : `You are asked to rotate ${countOf(others + 1, 'key')}`;
}
