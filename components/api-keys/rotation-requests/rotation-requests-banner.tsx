'use client';

import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { describeRequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import { countOf } from '#lib/count.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { apiKeysPath } from '../api-key-path.ts';
import { webhookPath } from './target-path.ts';
import { requestPath, requestsPath } from '#components/shell/requests/request-path.ts';

/**
 * A banner on every page of an account: what someone asks this person to do. The pages of requests,
 * of keys, and of the webhook say it themselves, with what to do about it.
 */
export function RotationRequestsBanner({ session }: { session: Session }) {
  const { account, person } = session;
  const { data: current = session } = useQuery({
    ...routeQuery(session, 'getSession'),
    enabled: false,
  });
  const pathname = usePathname();
  const fullPath = useFullPath();
  const isAt = (path: string) => pathname.startsWith(fullPath(path));
  const isSaidBelow = ({ act, target }: RotationRequest) =>
    isAt(act === 'rotate' ? apiKeysPath : webhookPath(target));
  const { data = [] } = useQuery({
    ...routeQuery(account.id, 'listRotationRequests'),
    // The service refuses this read in an account that is being deleted, and to a person who still
    // has to set up a second factor.
    enabled: account.erased_at === null && !current.lacks_second_factor,
    // Those pages read them themselves, and not while a dialog may show a token.
    refetchInterval: !isAt(apiKeysPath) && !isAt(requestsPath) && pageRefetchInterval,
  });
  const [newest, ...others] = data.filter(
    (request) => request.member.id === person.id && !isSaidBelow(request),
  );
  if (newest === undefined || isAt(requestsPath)) return null;
  return (
    <Banner
      className="mb-6"
      tone={[newest, ...others].some(({ reason }) => reason === 'leaked') ? 'warn' : 'plain'}
      icon={<RotateCw />}
      title={titleOf(newest, others.length)}
      action={
        <ButtonLink size="small" href={others.length === 0 ? requestPath(newest) : requestsPath}>
          {others.length === 0 ? 'Open request' : 'Open requests'}
        </ButtonLink>
      }
    />
  );
}

function titleOf({ act, requested_by: requester, target }: RotationRequest, others: number) {
  return others === 0
    ? `${requester.name} asks you to ${describeRequestAct(act, target.name)}`
    : `You have ${countOf(others + 1, 'open request')}`;
}
